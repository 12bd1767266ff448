//! Packs the program that the workspace's tests have built, and installs and runs the packages as far as this machine
//! allows. What is skipped is printed.

mod bare_root;

use std::{
    collections::BTreeSet,
    ffi::OsString,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _},
    process::Output,
};

use serde_json::Value;

use super::*;
use crate::machine::Install;

/// A small program, for tests that do not run it.
const SMALL: &str = "/usr/bin/env";

fn workspace() -> Workspace {
    Workspace::find(Install::Refused).unwrap()
}

/// The server's program in the target folder of this test.
fn built_program() -> Option<PathBuf> {
    let test = env::current_exe().unwrap();
    let program = test.parent()?.parent()?.join("sealwright");
    if !program.is_file() {
        skip("the program is not built: run the tests of the whole workspace");
        return None;
    }
    Some(program)
}

fn skip(what: &str) {
    assert!(env::var_os("CI").is_none(), "{what}");
    eprintln!("SKIPPED, NOT TESTED: {what}");
}

/// A release of the built program at a fixed time.
fn release() -> Option<Release> {
    let mut release = Release::of_program(&built_program()?, &workspace().root).unwrap();
    release.time = 1_800_000_000;
    Some(release)
}

fn output(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// What a command prints; fails if the command fails.
fn run(command: &mut Command) -> String {
    let output = output(command);
    let printed = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success(), "{command:?}: {printed}");
    printed
}

#[test]
fn the_same_program_gives_the_same_packages_whose_sums_can_be_signed() {
    let Some(mut release) = release() else { return };
    release.program = SMALL.into();
    let workspace = workspace();
    let folder = tempfile::tempdir().unwrap();
    let made = |name: &str| {
        let folder = folder.path().join(name);
        let names = pack(&release, &folder, false, |task| workspace.cargo(task)).unwrap();
        names.into_iter().map(|name| (fs::read(folder.join(&name)).unwrap(), name)).collect::<Vec<_>>()
    };
    let first = made("first");
    assert_eq!(first.len(), 5);
    for ((bytes, name), (again, _)) in first.iter().zip(made("second")) {
        assert!(*bytes == again, "{name} differs");
    }

    let first = folder.path().join("first");
    run(Command::new("sha256sum").args(["--check", "--strict", "SHA256SUMS"]).current_dir(&first));
    let key = folder.path().join("key");
    run(Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(&key));
    sums::sign(&first, &key).unwrap();
    let public = fs::read_to_string(key.with_extension("pub")).unwrap();
    fs::write(folder.path().join("signers"), format!("release {public}")).unwrap();
    let verifies = |signed: &str| {
        let mut command = Command::new("ssh-keygen");
        command.args(["-Y", "verify", "-I", "release", "-n", "sealwright-release", "-s", "SHA256SUMS.sig", "-f"]);
        command.arg(folder.path().join("signers")).current_dir(&first);
        output(command.stdin(fs::File::open(first.join(signed)).unwrap())).status.success()
    };
    assert!(verifies("SHA256SUMS"));
    fs::write(first.join("changed"), "other sums").unwrap();
    assert!(!verifies("changed"));
    // New sums have no signature until they are signed.
    sums::write(&first, &["changed".to_owned()]).unwrap();
    assert!(!first.join("SHA256SUMS.sig").exists());
}

#[test]
fn the_bill_of_materials_names_what_is_in_the_program() {
    let Some(mut release) = release() else { return };
    release.program = SMALL.into();
    let workspace = workspace();
    let bill: Value = serde_json::from_slice(&sbom::bill(&release, |task| workspace.cargo(task)).unwrap()).unwrap();
    assert_eq!((&bill["bomFormat"], &bill["specVersion"]), (&Value::from("CycloneDX"), &Value::from("1.6")));
    assert_eq!(bill["metadata"]["timestamp"], "2027-01-15T08:00:00Z");
    assert_eq!(bill["metadata"]["component"]["name"], "sealwright");

    let components = bill["components"].as_array().unwrap();
    let mut references: BTreeSet<&str> = components.iter().map(|it| it["bom-ref"].as_str().unwrap()).collect();
    assert_eq!(references.len(), components.len());
    assert!(references.insert(bill["metadata"]["component"]["bom-ref"].as_str().unwrap()));
    let names: BTreeSet<&str> = components.iter().map(|it| it["name"].as_str().unwrap()).collect();
    // Of the program, of its plugins, of the page for checks.
    for name in ["wasmtime", "typst", "libsqlite3-sys", "document-forensics", "wit-bindgen", "sealwright-verify-page"] {
        assert!(names.contains(name), "{name} is missing");
    }
    // A tool of the tests, the tasks, and an example.
    for name in ["insta", "xtask", "time-stamped-hmac", "sealwright"] {
        assert!(!names.contains(name), "{name} is not in the program");
    }
    for component in components {
        assert!(component["purl"].as_str().unwrap().starts_with("pkg:cargo/"), "{component}");
        assert!(component["licenses"][0]["expression"].is_string(), "{component}");
        let is_own = component["hashes"].is_null();
        let hash = component["hashes"][0]["content"].as_str().unwrap_or_default();
        assert!(is_own || (hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())), "{component}");
    }
    assert!(components.iter().filter(|component| component["hashes"].is_null()).count() < 40);
    let dependencies = bill["dependencies"].as_array().unwrap();
    assert_eq!(dependencies.len(), references.len());
    for reference in dependencies.iter().flat_map(|it| it["dependsOn"].as_array().unwrap()) {
        assert!(references.contains(reference.as_str().unwrap()), "{reference}");
    }
}

/// Calls dpkg on another root, with the maintainer scripts of the package.
fn dpkg(root: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("dpkg");
    command.arg(format!("--root={}", root.display())).args(["--force-script-chrootless", "--force-depends"]);
    run(command.arg("--force-confold").args(arguments))
}

#[test]
fn the_debian_package_is_installed_upgraded_removed_and_purged_without_losing_data() {
    let Some(mut release) = release() else { return };
    release.program = SMALL.into();
    let programs = ["dpkg", "systemd-sysusers", "systemd-tmpfiles", "deb-systemd-helper"];
    let is_missing = |name: &&str| !Path::new("/usr/bin").join(name).is_file();
    if !rustix::process::geteuid().is_root() || programs.iter().any(is_missing) {
        return eprintln!("SKIPPED, NOT TESTED: installing the Debian package needs root, dpkg and systemd");
    }
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    fs::create_dir_all(root.join("var/lib/dpkg/info")).unwrap();
    fs::create_dir(root.join("var/lib/dpkg/updates")).unwrap();
    fs::write(root.join("var/lib/dpkg/status"), "").unwrap();
    let mut package = |version: &str| {
        version.clone_into(&mut release.version);
        let path = folder.path().join(format!("{version}.deb"));
        fs::write(&path, debian::package(&release, b"{}").unwrap()).unwrap();
        path.display().to_string()
    };
    let (old, new) = (package("0.1.0-rc.1"), package("0.1.0"));
    let described = run(Command::new("dpkg-deb").args(["--info", &old]));
    for expected in ["Version: 0.1.0~rc.1", "libc6 (>= 2."] {
        assert!(described.contains(expected), "{expected}: {described}");
    }
    let kept = run(Command::new("dpkg-deb").args(["--info", &old, "conffiles"]));
    assert_eq!(kept.trim(), "/etc/sealwright/sealwright.toml");

    dpkg(&root, &["--install", &old]);
    let data = root.join("var/lib/sealwright");
    let settings = root.join("etc/sealwright/sealwright.toml");
    let enabled = root.join("etc/systemd/system/multi-user.target.wants/sealwright.service");
    let passwd = fs::read_to_string(root.join("etc/passwd")).unwrap();
    let fields: Vec<&str> = passwd.lines().find(|line| line.starts_with("sealwright:")).unwrap().split(':').collect();
    let owner = |path: &Path| {
        let metadata = fs::metadata(path).unwrap();
        (metadata.uid().to_string(), metadata.gid().to_string(), metadata.permissions().mode() & 0o7777)
    };
    assert_eq!(owner(&data), (fields[2].to_owned(), fields[3].to_owned(), 0o700));
    assert_eq!(owner(&settings), ("0".to_owned(), fields[3].to_owned(), 0o640));
    assert!(enabled.is_symlink());
    for file in ["usr/share/man/man1/sealwright-serve.1", "usr/share/bash-completion/completions/sealwright"] {
        assert!(root.join(file).is_file(), "{file}");
    }
    // Scripts may run again.
    dpkg(&root, &["--install", &old]);

    fs::write(&settings, "listen = \"127.0.0.1:9000\"\n").unwrap();
    fs::write(data.join("sealwright.db"), "cases").unwrap();
    dpkg(&root, &["--install", &new]);
    assert!(fs::read_to_string(&settings).unwrap().contains("9000"));
    assert_eq!(owner(&settings).2, 0o640);
    dpkg(&root, &["--remove", "sealwright"]);
    assert!(!root.join("usr/bin/sealwright").exists() && settings.is_file());
    dpkg(&root, &["--install", &new]);
    assert!(fs::read_to_string(&settings).unwrap().contains("9000"));
    let printed = dpkg(&root, &["--purge", "sealwright"]);
    assert!(printed.contains("the data in /var/lib/sealwright"), "{printed}");
    assert!(!settings.exists() && !enabled.is_symlink());
    assert_eq!(fs::read_to_string(data.join("sealwright.db")).unwrap(), "cases");
}

#[test]
fn systemd_rates_the_units_ok() {
    let root = workspace().root;
    if !Path::new("/usr/bin/systemd-analyze").is_file() {
        return skip("systemd-analyze is not installed");
    }
    for unit in ["sealwright.service", "sealwright@.service"] {
        let unit = root.join("deploy/systemd").join(unit);
        // In tenths: the units are at 1.5, which is "OK".
        run(Command::new("systemd-analyze").args(["security", "--offline=yes", "--threshold=20"]).arg(unit));
    }
}

/// Unpacks an image's layers as a container engine does, and checks each digest on the way. Returns its configuration.
fn unpack(image: &Path, layout: &Path, root: &Path) -> Value {
    let json = |path: &Path| serde_json::from_slice::<Value>(&fs::read(path).unwrap()).unwrap();
    let blob = |descriptor: &Value| {
        let (algorithm, digest) = descriptor["digest"].as_str().unwrap().split_once(':').unwrap();
        let path = layout.join("blobs").join(algorithm).join(digest);
        assert!(run(Command::new("sha256sum").arg(&path)).starts_with(digest));
        assert_eq!(descriptor["size"], fs::metadata(&path).unwrap().len());
        path
    };
    fs::create_dir(layout).unwrap();
    fs::create_dir(root).unwrap();
    run(Command::new("tar").arg("-xf").arg(image).arg("-C").arg(layout));
    let manifest = json(&blob(&json(&layout.join("index.json"))["manifests"][0]));
    let docker = json(&layout.join("manifest.json"));
    assert_eq!(layout.join(docker[0]["Config"].as_str().unwrap()), blob(&manifest["config"]));
    assert_eq!(docker[0]["Layers"].as_array().unwrap().len(), manifest["layers"].as_array().unwrap().len());
    for layer in manifest["layers"].as_array().unwrap() {
        run(Command::new("tar").arg("-xzpf").arg(blob(layer)).arg("--numeric-owner").arg("-C").arg(root));
    }
    json(&blob(&manifest["config"]))
}

#[test]
fn the_image_runs_without_a_shell_as_a_user_who_cannot_change_it() {
    let Some(mut release) = release() else { return };
    let allowed = Command::new("unshare").args(["--pid", "--fork", "--mount", "true"]).status();
    if !rustix::process::geteuid().is_root() || !allowed.is_ok_and(|status| status.success()) {
        return eprintln!("SKIPPED, NOT TESTED: running an image needs root and namespaces");
    }
    let folder = tempfile::tempdir().unwrap();
    // Without the symbols of a debug build, which would make it three times as large.
    let stripped = folder.path().join("sealwright");
    run(Command::new("strip").arg("-o").arg(&stripped).arg(&release.program));
    release.program = stripped;
    release.compression = 0;
    let layers = [
        image::base_layer(&release).unwrap(),
        image::text_recognition_layer(&release).unwrap(),
        image::program_layer(&release, b"{}").unwrap(),
    ];
    let path = folder.path().join("image.tar");
    let [base, recognition, program] = &layers;
    fs::write(&path, image::image(&release, "tested", &[base, recognition, program]).unwrap()).unwrap();
    drop(layers);
    let root = folder.path().join("root");
    let config = unpack(&path, &folder.path().join("layout"), &root);
    assert_eq!(config["config"]["User"], "65532:65532");
    assert!(!root.join("bin").exists());
    let programs: BTreeSet<OsString> =
        fs::read_dir(root.join("usr/bin")).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(programs, ["sealwright", "tesseract"].map(OsString::from).into_iter().collect::<BTreeSet<OsString>>());

    // A container engine mounts this one.
    fs::create_dir(root.join("proc")).unwrap();
    fs::copy(workspace().root.join("docs/certificate.png"), root.join("certificate.png")).unwrap();
    let start = |arguments: &[&str]| {
        let mut command = Command::new("unshare");
        let script = "mount -t proc proc \"$1/proc\" && root=$1 && shift && \
                      exec chroot --userspec=65532:65532 \"$root\" /usr/bin/sealwright \"$@\"";
        command.args(["--pid", "--fork", "--mount", "sh", "-c", script, "sh"]).arg(&root).args(arguments);
        command.env_clear().env("PATH", "/usr/bin:/usr/sbin:/bin:/sbin");
        for variable in config["config"]["Env"].as_array().unwrap() {
            let (name, value) = variable.as_str().unwrap().split_once('=').unwrap();
            if name != "PATH" {
                command.env(name, value);
            }
        }
        output(&mut command)
    };
    let facts = start(&["facts", "--json", "/certificate.png"]);
    let printed = String::from_utf8_lossy(&facts.stdout).into_owned();
    assert!(facts.status.success(), "{}", String::from_utf8_lossy(&facts.stderr));
    assert!(printed.contains("\"ocr\"") && printed.contains("Certificate of evidence"), "{printed}");
    assert!(start(&["manual", "/var/lib/sealwright/manual"]).status.success());
    for folder in ["/manual", "/usr/manual", "/etc/manual"] {
        assert!(!start(&["manual", folder]).status.success(), "{folder} can be written");
    }
}
