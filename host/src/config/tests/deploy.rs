//! The settings in `deploy/` are settings that exist, with values that can be read.

use std::{collections::BTreeSet, fs};

use toml::Value;

use super::*;
use crate::config::setting::ENVIRONMENT_PREFIX;

fn deployed(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The lines of the packages' settings file that can be uncommented start like this.
fn uncommented(line: &str) -> Option<&str> {
    line.strip_prefix('#').filter(|rest| !rest.is_empty() && !rest.starts_with([' ', '#']))
}

/// The keys of a table and of the tables in it, with dots.
fn keys(table: &toml::Table, prefix: &str, found: &mut BTreeSet<String>) {
    for (name, value) in table {
        let key = format!("{prefix}{name}");
        if let Value::Table(inner) = value {
            keys(inner, &format!("{key}."), found);
        } else {
            assert!(found.insert(key.clone()), "{key} is there twice");
        }
    }
}

#[test]
fn the_settings_file_of_packages_sets_the_data_directory_only() {
    let config = load(&with_file(&deployed("sealwright.toml")));
    assert_eq!(config.data_dir, Path::new("/var/lib/sealwright"));
    let given: Vec<_> = Setting::VARIANTS.iter().filter(|setting| config.is_given(**setting)).collect();
    assert_eq!(given, [&Setting::DataDir]);
}

#[test]
fn the_settings_file_of_packages_has_a_line_for_every_setting() {
    let text = deployed("sealwright.toml");
    let everything: Vec<&str> = text.lines().map(|line| uncommented(line).unwrap_or(line)).collect();
    let mut found = BTreeSet::new();
    keys(&toml::from_str(&everything.join("\n")).unwrap(), "", &mut found);
    let expected: BTreeSet<String> = Setting::VARIANTS.iter().map(|setting| setting.key().to_owned()).collect();
    assert_eq!(found, expected);
}

#[test]
fn each_line_of_the_settings_file_of_packages_can_be_uncommented() {
    let text = deployed("sealwright.toml");
    let mut table = "";
    let mut checked = 0;
    for line in text.lines().filter_map(uncommented) {
        if line.starts_with('[') {
            table = line;
            continue;
        }
        let (name, _) = line.split_once(" = ").unwrap();
        let key = format!("{}.{name}", table.trim_matches(['[', ']']));
        let key = key.trim_start_matches('.');
        let setting = Setting::by_key(key).unwrap_or_else(|| panic!("{key} is not a setting"));
        // Some settings need others. If the value cannot be read, the problem says what was expected instead.
        let loaded = Config::load(&with_file(&format!("{table}\n{line}\n")));
        let problems = loaded.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(!problems.contains(setting.expected()), "{table} {line}: {problems}");
        checked += 1;
    }
    assert!(checked + 1 >= Setting::VARIANTS.len(), "{checked}");
}

#[test]
fn containers_and_units_name_only_variables_that_exist() {
    let known: BTreeSet<String> = Setting::VARIANTS.iter().map(|setting| setting.variable()).collect();
    for name in ["compose/compose.yaml", "kubernetes/sealwright.yaml"] {
        let text = deployed(name);
        let is_in_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        let variables: BTreeSet<&str> =
            text.split(|c: char| !is_in_name(c)).filter(|word| word.starts_with(ENVIRONMENT_PREFIX)).collect();
        assert!(variables.len() > 3, "{name}: {variables:?}");
        let unknown: Vec<_> = variables.iter().filter(|variable| !known.contains(**variable)).collect();
        assert!(unknown.is_empty(), "{name}: {unknown:?}");
    }
}
