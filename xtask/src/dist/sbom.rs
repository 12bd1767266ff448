//! The bill of materials in CycloneDX 1.6: every crate in the program, in its built-in plugins and in the page for
//! checks, with licence and checksum.

use std::{
    collections::{BTreeMap, BTreeSet},
    env::consts::ARCH,
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::release::{Release, read};
use crate::machine::WASM_TARGET;

/// The package of the program.
const PROGRAM: &str = "sealwright";
/// The package of the page for checks, which is compiled for browsers and embedded.
const PAGE: &str = "sealwright-verify-page";

/// A crate.
struct Component {
    name: String,
    version: String,
    licence: Option<String>,
    /// SHA-256 of the file that crates.io serves; our own crates have none.
    checksum: Option<String>,
    /// What it is linked with, by package URL.
    needs: BTreeSet<String>,
}

/// Crates by package URL.
type Components = BTreeMap<String, Component>;

/// Makes the bill. `cargo` makes a call of cargo, by its task, in the workspace's root.
pub(super) fn bill(release: &Release, cargo: impl Fn(&str) -> Command) -> Result<Vec<u8>> {
    let native = format!("{ARCH}-unknown-linux-gnu");
    let plugins = release.root.join("plugins/Cargo.toml");
    let examples = release.root.join("plugins/examples");
    let server = release.root.join("Cargo.toml");
    let mut found = Components::new();
    let program = collect(&server, &metadata(&server, &native, &cargo)?, &mut found, |name, _| name == PROGRAM)?;
    let mut embedded = collect(&server, &metadata(&server, WASM_TARGET, &cargo)?, &mut found, |name, _| name == PAGE)?;
    embedded.extend(collect(&plugins, &metadata(&plugins, WASM_TARGET, &cargo)?, &mut found, |_, manifest| {
        !Path::new(manifest).starts_with(&examples)
    })?);
    let program = program.into_iter().next().context("cargo does not know the program")?;
    let mut main = found.remove(&program).context("cargo does not know the program")?;
    main.needs.extend(embedded);
    bill_of(release, &program, &main, &found)
}

fn bill_of(release: &Release, program: &str, main: &Component, components: &Components) -> Result<Vec<u8>> {
    let hash = hex::encode(Sha256::digest(read(&release.program)?));
    let time = jiff::Timestamp::from_second(i64::try_from(release.time)?)?;
    let listed: Vec<Value> = components.iter().map(|(purl, component)| described(purl, component)).collect();
    let all = std::iter::once((program, main)).chain(components.iter().map(|(purl, it)| (purl.as_str(), it)));
    let dependencies: Vec<Value> =
        all.map(|(purl, component)| json!({ "ref": purl, "dependsOn": component.needs })).collect();
    let serial = uuid(&Sha256::digest(serde_json::to_vec(&json!([hash, listed, dependencies, release.time]))?));
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": format!("urn:uuid:{serial}"),
        "version": 1,
        "metadata": {
            "timestamp": time.to_string(),
            "component": {
                "type": "application",
                "bom-ref": program,
                "name": main.name,
                "version": main.version,
                "purl": program,
                "hashes": [{ "alg": "SHA-256", "content": hash }],
                "licenses": licences(main),
            },
        },
        "components": listed,
        "dependencies": dependencies,
    });
    let mut bytes = serde_json::to_vec_pretty(&bill)?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn described(purl: &str, component: &Component) -> Value {
    let mut described = json!({
        "type": "library",
        "bom-ref": purl,
        "name": component.name,
        "version": component.version,
        "scope": "required",
        "licenses": licences(component),
        "purl": purl,
    });
    if let Some(checksum) = &component.checksum {
        described["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    described
}

fn licences(component: &Component) -> Value {
    match &component.licence {
        Some(expression) => json!([{ "expression": expression }]),
        None => json!([{ "license": { "name": "see the licence file of the package" } }]),
    }
}

/// What cargo knows about the packages of a workspace, compiled for one target.
fn metadata(manifest: &Path, target: &str, cargo: impl Fn(&str) -> Command) -> Result<Value> {
    let mut command = cargo("metadata");
    command.args(["--format-version", "1", "--locked", "--filter-platform", target, "--manifest-path"]).arg(manifest);
    let output = command.stderr(Stdio::inherit()).output().context("cannot start cargo")?;
    ensure!(output.status.success(), "cargo metadata failed for {}", manifest.display());
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Adds those of a workspace's own packages that `is_root` accepts by name and manifest, and everything that they are
/// linked with. Returns the package URLs of the former.
fn collect(
    manifest: &Path,
    metadata: &Value,
    found: &mut Components,
    is_root: impl Fn(&str, &str) -> bool,
) -> Result<BTreeSet<String>> {
    let checksums = checksums(&manifest.with_file_name("Cargo.lock"))?;
    let packages = by_id(&metadata["packages"]);
    let nodes = by_id(&metadata["resolve"]["nodes"]);
    let url = |id: &str| packages.get(id).map(|package| purl(package)).with_context(|| format!("no package {id}"));
    let own: BTreeSet<&str> =
        metadata["workspace_members"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let roots = packages
        .iter()
        .filter(|(id, package)| own.contains(*id) && is_root(text(package, "name"), text(package, "manifest_path")));
    let mut waiting: Vec<&str> = roots.map(|(id, _)| *id).collect();
    let urls = waiting.iter().map(|id| url(id)).collect::<Result<BTreeSet<String>>>()?;
    let mut seen = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if !seen.insert(id) {
            continue;
        }
        let package = packages.get(id).with_context(|| format!("no package {id}"))?;
        let dependencies = nodes.get(id).and_then(|node| node["deps"].as_array()).into_iter().flatten();
        let linked: Vec<&str> =
            dependencies.filter(|it| is_linked(it)).map(|dependency| text(dependency, "pkg")).collect();
        let needs = linked.iter().map(|id| url(id)).collect::<Result<BTreeSet<String>>>()?;
        let (name, version) = (text(package, "name").to_owned(), text(package, "version").to_owned());
        let checksum = checksums.get(&(name.clone(), version.clone())).cloned();
        let licence = package["license"].as_str().map(expression);
        let component = found.entry(purl(package)).or_insert(Component {
            name,
            version,
            licence,
            checksum,
            needs: BTreeSet::new(),
        });
        component.needs.extend(needs);
        waiting.extend(linked);
    }
    Ok(urls)
}

/// Whether it is in the result: build scripts and tests are not.
fn is_linked(dependency: &Value) -> bool {
    dependency["dep_kinds"].as_array().into_iter().flatten().any(|kind| kind["kind"].is_null())
}

fn by_id(list: &Value) -> BTreeMap<&str, &Value> {
    list.as_array().into_iter().flatten().map(|entry| (text(entry, "id"), entry)).collect()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// The package URL. Only `+` needs an escape in the versions of crates.
fn purl(package: &Value) -> String {
    format!("pkg:cargo/{}@{}", text(package, "name"), text(package, "version").replace('+', "%2B"))
}

/// The licence as an SPDX expression: older crates write `MIT/Apache-2.0`.
fn expression(licence: &str) -> String {
    licence.split('/').map(str::trim).collect::<Vec<_>>().join(" OR ")
}

/// The checksums of a lock file by name and version.
fn checksums(lock: &Path) -> Result<BTreeMap<(String, String), String>> {
    let lock: toml::Table = toml::from_str(&String::from_utf8(read(lock)?)?)?;
    let packages = lock.get("package").and_then(toml::Value::as_array).into_iter().flatten();
    let of_package = |package: &toml::Value| {
        let text = |key: &str| package.get(key).and_then(toml::Value::as_str).map(str::to_owned);
        Some(((text("name")?, text("version")?), text("checksum")?))
    };
    Ok(packages.filter_map(of_package).collect())
}

/// A UUID of version 8 (RFC 9562) from a digest: the same bill has the same one.
fn uuid(digest: &[u8]) -> String {
    let mut bytes = digest[..16].to_vec();
    bytes[6] = (bytes[6] & 0x0f) | 0x80;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let text = hex::encode(bytes);
    [&text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..]].join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_and_versions_are_written_as_their_standards_say() {
        assert_eq!(expression("MIT/Apache-2.0"), "MIT OR Apache-2.0");
        assert_eq!(expression("(MIT OR Apache-2.0) AND Unicode-3.0"), "(MIT OR Apache-2.0) AND Unicode-3.0");
        let package = json!({ "name": "wasi", "version": "0.11.1+wasi-snapshot-preview1" });
        assert_eq!(purl(&package), "pkg:cargo/wasi@0.11.1%2Bwasi-snapshot-preview1");
        assert_eq!(uuid(&[0xff; 32]), "ffffffff-ffff-8fff-bfff-ffffffffffff");
    }
}
