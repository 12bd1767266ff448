//! Where settings come from, and which of them wins: the file, then the environment, then flags.

use std::{
    collections::BTreeMap,
    env, fmt, fs,
    io::{self, IsTerminal},
    path::{Path, PathBuf},
};

use strum::VariantArray as _;

use super::{
    ConfigError,
    setting::{ENVIRONMENT_PREFIX, Setting},
};
use crate::toml_reader::{self, Field, Table, nearest};

/// The file that is read by default, if it exists.
pub const DEFAULT_FILE: &str = "sealwright.toml";

/// Variables with this prefix configure tests, not the program.
const TEST_PREFIX: &str = "SEALWRIGHT_TEST_";

/// Everything the settings are made from. Tests fill it by hand; the program takes it from its process.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    pub file: Option<SettingsFile>,
    /// Only variables that start with `SEALWRIGHT_` matter. An empty one counts as not set.
    pub environment: BTreeMap<String, String>,
    pub flags: Vec<(Setting, String)>,
    /// The absolute base of relative paths.
    pub working_dir: PathBuf,
    /// Whether the log goes to a terminal.
    pub logs_to_terminal: bool,
}

#[derive(Clone, Debug)]
pub struct SettingsFile {
    /// As the operator named it.
    pub name: String,
    pub text: String,
}

impl Sources {
    /// Reads the process's environment and the file that `--config` names, or else [`DEFAULT_FILE`] if it exists and
    /// `with_default_file` is set.
    pub fn of_process(
        config: Option<&Path>,
        with_default_file: bool,
        flags: Vec<(Setting, String)>,
    ) -> Result<Self, ConfigError> {
        let failed = |what: &str, cause: io::Error| ConfigError::one(format!("{what}: {cause}"));
        let file = match config {
            Some(path) => {
                Some(read_file(path).map_err(|cause| failed(&format!("--config {}", path.display()), cause))?)
            }
            None if !with_default_file => None,
            None => match read_file(Path::new(DEFAULT_FILE)) {
                Err(missing) if missing.kind() == io::ErrorKind::NotFound => None,
                read => Some(read.map_err(|cause| failed(DEFAULT_FILE, cause))?),
            },
        };
        Ok(Self {
            file,
            environment: environment()?,
            flags,
            working_dir: env::current_dir().map_err(|cause| failed("the working directory", cause))?,
            logs_to_terminal: io::stderr().is_terminal(),
        })
    }
}

fn read_file(path: &Path) -> io::Result<SettingsFile> {
    Ok(SettingsFile { name: path.display().to_string(), text: fs::read_to_string(path)? })
}

fn environment() -> Result<BTreeMap<String, String>, ConfigError> {
    let ours = env::vars_os().filter_map(|(name, value)| {
        let name = name.into_string().ok().filter(|name| name.starts_with(ENVIRONMENT_PREFIX))?;
        Some((name, value))
    });
    ours.map(|(name, value)| match value.into_string() {
        Ok(value) => Ok((name, value)),
        Err(_) => Err(ConfigError::one(format!("{name}: found bytes that are not UTF-8, expected text"))),
    })
    .collect()
}

/// A value as text, and its origin.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub(super) text: String,
    pub(super) origin: Origin,
}

#[derive(Clone, Debug)]
pub(super) enum Origin {
    File { name: String, line: usize, setting: Setting },
    Variable(String),
    Flag(String),
}

/// `sealwright.toml:3: listen`, `SEALWRIGHT_LISTEN` or `--listen`.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { name, line, setting } => write!(f, "{name}:{line}: {setting}"),
            Self::Variable(name) | Self::Flag(name) => f.write_str(name),
        }
    }
}

/// The winning value of each setting that was given at all. Problems of the file are added to `problems`.
pub(super) fn gather(sources: &Sources, problems: &mut Vec<String>) -> BTreeMap<Setting, Given> {
    let mut given = match &sources.file {
        Some(file) => read_settings(file).unwrap_or_else(|found| {
            problems.extend(found);
            BTreeMap::new()
        }),
        None => BTreeMap::new(),
    };
    for &setting in Setting::VARIANTS {
        let variable = setting.variable();
        if let Some(text) = sources.environment.get(&variable).filter(|text| !text.is_empty()) {
            given.insert(setting, Given { text: text.clone(), origin: Origin::Variable(variable) });
        }
    }
    for (setting, text) in &sources.flags {
        given.insert(*setting, Given { text: text.clone(), origin: Origin::Flag(setting.flag()) });
    }
    given
}

/// A warning for each variable that looks like a setting but is not one. It is not an error: another program may use
/// it.
pub(super) fn unknown_variables(sources: &Sources) -> Vec<String> {
    let known: Vec<String> = Setting::VARIANTS.iter().map(|setting| setting.variable()).collect();
    let unknown = sources
        .environment
        .keys()
        .filter(|name| name.starts_with(ENVIRONMENT_PREFIX) && !name.starts_with(TEST_PREFIX) && !known.contains(name));
    unknown
        .map(|name| {
            let nearest = nearest(name, known.iter().map(String::as_str)).unwrap_or_default();
            format!("{name} is not a setting and is ignored, did you mean {nearest}?")
        })
        .collect()
}

fn read_settings(file: &SettingsFile) -> Result<BTreeMap<Setting, Given>, Vec<String>> {
    let read = toml_reader::read(&file.name, &file.text, |root| {
        let mut given = BTreeMap::new();
        read_table(root, &file.name, &mut given);
        Some(given)
    });
    match read {
        Ok(read) => Ok(read.value),
        Err(problems) => Err(problems.iter().map(ToString::to_string).collect()),
    }
}

fn read_table(table: &mut Table<'_>, file: &str, given: &mut BTreeMap<Setting, Given>) {
    for (_, field) in table.entries() {
        if let Some(setting) = Setting::by_key(field.path()) {
            if let Some(text) = text_of(setting, &field) {
                let origin = Origin::File { name: file.to_owned(), line: field.line(), setting };
                given.insert(setting, Given { text, origin });
            }
        } else if Setting::is_table(field.path()) {
            field.table(|table| {
                read_table(table, file, given);
                Some(())
            });
        } else {
            field.error::<()>(format!("unknown key, did you mean `{}`?", nearest_key(field.path())));
        }
    }
}

/// A value's text. TOML has its own booleans, so text instead of one is a mistake.
fn text_of(setting: Setting, field: &Field<'_>) -> Option<String> {
    match setting {
        Setting::SealEvidence | Setting::PluginsRequireSignature | Setting::WebhookAllowPrivateAddresses => {
            field.boolean().map(|value| value.to_string())
        }
        Setting::SealTsaUrl
        | Setting::SealWitnesses
        | Setting::WitnessLogs
        | Setting::SealRevocationPrivateAddresses
        | Setting::ConsoleOpenIdPrivateAddresses
        | Setting::ConsoleOpenIdRoleMap
        | Setting::PluginsTrustedKeys
        | Setting::PluginsRegistryPrivateAddresses
        | Setting::FieldOidcPrivateAddresses
        | Setting::TrustedProxies => field.texts(setting.expected()).map(|texts| texts.join(",")),
        Setting::HttpConnections
        | Setting::HttpConnectionsPerAddress
        | Setting::SealTsaQuorum
        | Setting::SealWitnessQuorum
        | Setting::PluginsFuelPerSecond
        | Setting::BackupKeep => field.number(setting.expected(), |number| Some(number.to_string())),
        _ => field.text(setting.expected()).map(str::to_owned),
    }
}

/// The setting or table that an unknown key most likely means: the same name in another table, or the most similar one.
fn nearest_key(path: &str) -> &'static str {
    let last = |key: &'static str| key.rsplit('.').next().unwrap_or(key);
    let keys = || Setting::VARIANTS.iter().map(|setting| setting.key());
    let namesake = keys().find(|key| path.rsplit('.').next() == Some(last(key)));
    let tables = keys().filter_map(|key| key.split_once('.').map(|(table, _)| table));
    namesake.or_else(|| nearest(path, keys().chain(tables))).unwrap_or_default()
}
