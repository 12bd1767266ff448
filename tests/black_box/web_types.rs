//! The scripts of the pages have the types that their comments state.

use std::{fs, path::Path, process::Command};

use crate::support::toolchains::node_modules;

const PACKAGES: &str = r#"{ "private": true, "devDependencies": { "typescript": "7.0.2" } }"#;

#[test]
fn the_compiler_accepts_the_types_of_all_scripts() {
    let project = tempfile::tempdir().expect("a folder");
    fs::write(project.path().join("package.json"), PACKAGES).expect("write package.json");
    let Some(modules) = node_modules(project.path(), "typescript") else { return };
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web");
    let client = "clients/typescript/jsconfig.json";
    for configuration in
        ["jsconfig.json", "jsconfig.worker.json", "jsconfig.verify.json", "jsconfig.engine.json", client]
    {
        let checked = Command::new(modules.join(".bin/tsc")).arg("--project").arg(web.join(configuration)).output();
        let checked = checked.expect("start tsc");
        let said = String::from_utf8_lossy(&checked.stdout);
        assert!(checked.status.success(), "{configuration}: {said}");
    }
}
