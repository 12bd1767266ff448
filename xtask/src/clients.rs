//! The typed clients of `web/clients/`: what is generated from the description of the interface, and which changes of the
//! interface break a client of the last release.

mod compatibility;
mod model;
mod python;
mod schema;
mod shape;
#[cfg(test)]
mod tests;
mod typescript;

use std::{fs, path::Path};

use anyhow::{Context as _, ensure};
use clap::Args;
use serde_json::Value;

use self::model::Interface;
use crate::workspace::{self, Workspace};

/// The description of the interface, as a test of the server writes it.
const DESCRIPTION: &str = "description.json";
/// The description of the last release, without its prose.
const RELEASED: &str = "released.json";
/// The test of the server that compares [`DESCRIPTION`] with the program, or writes it.
const DESCRIBE: &str = "the_clients_are_made_from_this_description";
const TYPESCRIPT: &str = "typescript/package.json";
const PYTHON: &str = "python/pyproject.toml";

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Also keep the description as that of the last release
    #[arg(long)]
    release: bool,
}

pub(crate) fn run(workspace: &Workspace, options: &Options) -> anyhow::Result<()> {
    let mut describe = workspace.cargo_with_plugins("test")?;
    // Of the whole workspace: `-p` would turn features of dependencies off and build them all again.
    describe.args(["--workspace", "--lib", DESCRIBE]).env("SEALWRIGHT_WRITE_DOCS", "1");
    workspace::run(&mut describe)?;
    let folder = workspace.root.join("web/clients");
    let description = read(&folder, DESCRIPTION)?;
    for (name, text) in generated(&folder, &description)? {
        fs::write(folder.join(name), text).with_context(|| format!("{name} cannot be written"))?;
    }
    if options.release {
        let text = format!("{:#}\n", without_prose(&description));
        return fs::write(folder.join(RELEASED), text).with_context(|| format!("{RELEASED} cannot be written"));
    }
    let breaks = compatibility::unannounced_breaks(&read(&folder, RELEASED)?, &description);
    ensure!(breaks.is_empty(), "the interface breaks clients of the last release:\n{}", breaks.join("\n"));
    Ok(())
}

/// The files that are made from the description, by their paths in `folder`. Two of them are written by hand, except for
/// their version.
fn generated(folder: &Path, description: &Value) -> anyhow::Result<Vec<(&'static str, String)>> {
    let interface = Interface::read(description)?;
    let version = &interface.version;
    let package = |name: &str, line: String| {
        let text = fs::read_to_string(folder.join(name)).with_context(|| format!("{name} cannot be read"))?;
        with_line(&text, &line).with_context(|| format!("{name} has no version"))
    };
    Ok(vec![
        ("typescript/src/schema.d.ts", typescript::schema(&interface)),
        ("typescript/src/operations.js", typescript::operations(&interface)),
        ("python/sealwright_client/schema.py", python::schema(&interface)?),
        ("python/sealwright_client/operations.py", python::operations(&interface)),
        (TYPESCRIPT, package(TYPESCRIPT, format!("  \"version\": \"{version}\","))?),
        (PYTHON, package(PYTHON, format!("version = \"{version}\""))?),
    ])
}

/// The text with `line` instead of the first one that begins in the same way, up to its last space; `None` if there is
/// none.
fn with_line(text: &str, line: &str) -> Option<String> {
    let (name, _) = line.rsplit_once(' ')?;
    let start = text.lines().find(|old| old.starts_with(name))?;
    Some(text.replacen(start, line, 1))
}

fn read(folder: &Path, name: &str) -> anyhow::Result<Value> {
    let text = fs::read_to_string(folder.join(name)).with_context(|| format!("{name} cannot be read"))?;
    serde_json::from_str(&text).with_context(|| format!("{name} is not JSON"))
}

/// The description without its texts. A field with the name of a text, like `description`, is an object and is kept.
fn without_prose(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let is_prose =
                |name: &str, member: &Value| ["description", "summary"].contains(&name) && member.is_string();
            let kept = members.iter().filter(|(name, member)| !is_prose(name, member));
            Value::Object(kept.map(|(name, member)| (name.clone(), without_prose(member))).collect())
        }
        Value::Array(elements) => Value::Array(elements.iter().map(without_prose).collect()),
        other => other.clone(),
    }
}
