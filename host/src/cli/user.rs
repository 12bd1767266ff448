//! `sealwright user`: its arguments.

use std::{
    env, fmt,
    io::{self, BufRead as _, IsTerminal as _, Write as _},
    process::ExitCode,
};

use anyhow::Context as _;
use clap::{Args, Subcommand, builder::PossibleValuesParser, builder::TypedValueParser as _};
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use serde::Serialize;
use strum::VariantArray as _;

use super::output::Output;
use crate::{
    app::{
        App,
        audit::Actor,
        console::user::{self, Authority, NewUser, StoredUser},
    },
    clock::{Clock, Timestamp},
    config::{Config, Setting},
    domain::{
        console::{Role, Scope},
        id::CompanyId,
    },
};

/// Add, list, reset and remove the users of the console
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct UserArguments {
    #[command(subcommand)]
    pub action: UserAction,
}

#[derive(Clone, Debug, Subcommand)]
pub enum UserAction {
    /// Add a user, who signs in at /console
    #[command(
        after_help = "The password is read from standard input, or from the variable that --password-env names.\n\n\
        Examples:\n  sealwright user add maria --role operator\n  \
        sealwright user add paul --role reviewer --company 12 --password-env PAUL_PASSWORD"
    )]
    Add(AddArguments),
    /// List the users, by username
    #[command(after_help = "Example:\n  sealwright user list --json")]
    List,
    /// Give a user another password; the second factor and all sessions end
    #[command(
        after_help = "For someone who has lost the password or the second factor. The password is read from standard \
        input, or from the variable that --password-env names.\n\nExample:\n  sealwright user reset paul"
    )]
    Reset {
        /// The name with which the user signs in
        username: String,

        /// The environment variable with the password [default: read from standard input]
        #[arg(long, value_name = "VARIABLE")]
        password_env: Option<String>,
    },
    /// Remove a user, whose sessions end
    #[command(after_help = "Example:\n  sealwright user remove paul")]
    Remove {
        /// The name with which the user signs in
        username: String,
    },
}

#[derive(Clone, Debug, Args)]
pub struct AddArguments {
    /// The name with which the user signs in
    pub username: String,

    /// What the user may do; each role includes those before it
    #[arg(long, value_parser = PossibleValuesParser::new(Role::VARIANTS.iter().map(|role| role.as_str()))
        .try_map(|text| text.parse::<Role>()))]
    pub role: Role,

    /// The company whose cases the user sees; none for an operator
    #[arg(long, value_name = "ID", value_parser = parse_company)]
    pub company: Option<CompanyId>,

    /// Also the child companies of that company
    #[arg(long, requires = "company")]
    pub with_children: bool,

    /// The name for people [default: the username]
    #[arg(long, value_name = "TEXT")]
    pub name: Option<String>,

    /// The environment variable with the password [default: read from standard input]
    #[arg(long, value_name = "VARIABLE")]
    pub password_env: Option<String>,
}

fn parse_company(text: &str) -> Result<CompanyId, String> {
    CompanyId::parse(text).ok_or_else(|| "must be the identifier of a company, a positive number".to_owned())
}

/// Manages the users with the authority of someone who has the installation's key.
pub(super) async fn run(config: Config, arguments: &UserArguments, output: Output) -> anyhow::Result<ExitCode> {
    let app = App::open_existing(config, Clock::system()).await?;
    match &arguments.action {
        UserAction::Add(add) => {
            let scope =
                add.company.map_or(Scope::Installation, |id| Scope::Company { id, with_children: add.with_children });
            let new = NewUser {
                username: add.username.clone(),
                name: add.name.clone().unwrap_or_default(),
                role: add.role,
                scope,
                password: read_password(add.password_env.as_deref())?,
            };
            user::add(&app, Authority::COMMAND, &Actor::command(), new).await?;
            let address = console_address(&app.config);
            output.print(&AddedUser { username: add.username.clone(), role: add.role, address })?;
        }
        UserAction::List => {
            let users: Vec<ListedUser> =
                user::list(&app, Authority::COMMAND).await?.into_iter().map(ListedUser::from).collect();
            let headings = ["USERNAME", "NAME", "ROLE", "COMPANY", "SIGNS IN BY", "SECOND FACTOR", "ADDED"];
            output.print_table(headings, &users, |user| {
                let company = user.company_id.map_or_else(|| "all".to_owned(), |id| id.to_string());
                [
                    user.username.clone(),
                    user.name.clone(),
                    user.role.to_string(),
                    if user.with_children { format!("{company} and children") } else { company },
                    if user.provider.is_some() { "provider" } else { "password" }.to_owned(),
                    if user.second_factor { "yes" } else { "no" }.to_owned(),
                    user.created_at.to_string(),
                ]
            })?;
        }
        UserAction::Reset { username, password_env } => {
            let found = user::find_by_username(&app, username).await?;
            let password = read_password(password_env.as_deref())?;
            user::reset(&app, &Actor::command(), &found, password).await?;
            output.print(&ResetUser { username: username.clone() })?;
        }
        UserAction::Remove { username } => {
            let found = user::find_by_username(&app, username).await?;
            user::remove(&app, Authority::COMMAND, &Actor::command(), found.id).await?;
            output.print(&RemovedUser { username: username.clone() })?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Where users sign in. Unknown if neither address is in this command's settings: the server may have got its address from a
/// flag, and would then listen elsewhere than by default. Port 0 is not an address either.
fn console_address(config: &Config) -> Option<String> {
    let is_listen_known = config.is_given(Setting::Listen) && config.listen.port() != 0;
    let is_known = is_listen_known || config.is_given(Setting::BaseUrl);
    is_known.then(|| format!("{}/console", config.base_url))
}

fn read_password(variable: Option<&str>) -> anyhow::Result<String> {
    if let Some(variable) = variable {
        return env::var(variable).with_context(|| format!("--password-env: {variable} is not set, or is not UTF-8"));
    }
    let silent = if io::stdin().is_terminal() {
        let silent = SilentTerminal::new().context("reading the password from the terminal")?;
        eprint!("Password (it is not shown): ");
        io::stderr().flush()?;
        Some(silent)
    } else {
        None
    };
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line);
    drop(silent);
    read.context("reading the password from standard input")?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

/// The terminal of standard input while it does not show what is typed, except for the end of the line. It shows it again
/// once this is dropped.
struct SilentTerminal {
    before: Termios,
}

impl SilentTerminal {
    fn new() -> io::Result<Self> {
        let before = tcgetattr(io::stdin())?;
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        silent.local_modes.insert(LocalModes::ECHONL);
        // What was typed before the question is not the answer.
        tcsetattr(io::stdin(), OptionalActions::Flush, &silent)?;
        Ok(Self { before })
    }
}

impl Drop for SilentTerminal {
    fn drop(&mut self) {
        // If it fails, the terminal is gone.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.before);
    }
}

/// What `add` prints.
#[derive(Debug, Serialize)]
struct AddedUser {
    username: String,
    role: Role,
    /// Where the user signs in, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
}

impl fmt::Display for AddedUser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is added with the role {}", self.username, self.role)?;
        self.address.as_ref().map_or(Ok(()), |address| write!(f, " and signs in at {address}"))
    }
}

/// What `reset` prints.
#[derive(Debug, Serialize)]
struct ResetUser {
    username: String,
}

impl fmt::Display for ResetUser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} has the new password, no second factor and no session", self.username)
    }
}

/// What `remove` prints.
#[derive(Debug, Serialize)]
struct RemovedUser {
    username: String,
}

impl fmt::Display for RemovedUser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is removed", self.username)
    }
}

/// A row of `list`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ListedUser {
    username: String,
    name: String,
    role: Role,
    /// None for an operator.
    company_id: Option<CompanyId>,
    with_children: bool,
    /// The issuer by which the user signs in; none if the user has a password.
    provider: Option<String>,
    second_factor: bool,
    created_at: Timestamp,
}

impl From<StoredUser> for ListedUser {
    fn from(user: StoredUser) -> Self {
        Self {
            second_factor: user.has_second_factor(),
            username: user.username,
            name: user.name,
            role: user.role,
            company_id: user.company,
            with_children: user.with_children,
            provider: user.oidc_issuer,
            created_at: user.created_at,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  sealwright user add maria --role operator
  sealwright user list
  sealwright user reset paul
  sealwright user remove paul";
