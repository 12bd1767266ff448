//! The Debian package: an `ar` archive of two tarballs (deb(5)), so that no program of Debian is needed to make it.

use std::fmt::Write as _;

use anyhow::{Result, bail};

use super::{
    archive::is_man_page,
    libraries,
    release::{Release, read},
    tree::{Tree, gzip},
};

/// Debian's name of this machine's architecture.
pub(super) fn architecture() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    }
}

/// Where the files of `deploy/` go. The settings may contain passwords; `sealwright.tmpfiles` gives them their group.
const DEPLOYED: [(&str, &str, u32); 6] = [
    ("deploy/sealwright.toml", SETTINGS, 0o640),
    ("deploy/systemd/sealwright.service", "usr/lib/systemd/system/sealwright.service", 0o644),
    ("deploy/systemd/sealwright@.service", "usr/lib/systemd/system/sealwright@.service", 0o644),
    ("deploy/systemd/sealwright.sysusers", "usr/lib/sysusers.d/sealwright.conf", 0o644),
    ("deploy/systemd/sealwright.tmpfiles", "usr/lib/tmpfiles.d/sealwright.conf", 0o644),
    ("deploy/debian/copyright", "usr/share/doc/sealwright/copyright", 0o644),
];
/// The only file that dpkg does not overwrite after a person has changed it.
const SETTINGS: &str = "etc/sealwright/sealwright.toml";

/// Makes the package. `sbom` goes to its documentation.
pub(super) fn package(release: &Release, sbom: &[u8]) -> Result<Vec<u8>> {
    let libc = libraries::needed_libc(&release.program)?;
    let data = data(release, sbom)?;
    let mut control = Tree::default();
    control.add("control", control_file(release, data.bytes(), &libc)?.into_bytes());
    control.add("conffiles", format!("/{SETTINGS}\n").into_bytes());
    for script in ["postinst", "prerm", "postrm"] {
        control.add_with_mode(script, 0o755, release.source(&format!("deploy/debian/{script}"))?);
    }
    let mut package = b"!<arch>\n".to_vec();
    let tarball = |tree: &Tree| gzip(&tree.archive("./", release.time)?, release.compression);
    add_member(&mut package, "debian-binary", b"2.0\n", release.time)?;
    add_member(&mut package, "control.tar.gz", &tarball(&control)?, release.time)?;
    add_member(&mut package, "data.tar.gz", &tarball(&data)?, release.time)?;
    Ok(package)
}

/// The files that are installed.
fn data(release: &Release, sbom: &[u8]) -> Result<Tree> {
    let mut tree = Tree::default();
    tree.add_with_mode("usr/bin/sealwright", 0o755, read(&release.program)?);
    for (source, path, mode) in DEPLOYED {
        tree.add_with_mode(path, mode, release.source(source)?);
    }
    tree.add("usr/share/doc/sealwright/CHANGELOG.md", release.source("CHANGELOG.md")?);
    tree.add("usr/share/doc/sealwright/sbom.cdx.json", sbom.to_vec());
    for (name, content) in &release.manual {
        let path = match name.as_str() {
            "sealwright.bash" => "usr/share/bash-completion/completions/sealwright".to_owned(),
            "_sealwright" => "usr/share/zsh/vendor-completions/_sealwright".to_owned(),
            "sealwright.fish" => "usr/share/fish/vendor_completions.d/sealwright.fish".to_owned(),
            page if is_man_page(page) => format!("usr/share/man/man1/{page}"),
            other => bail!("{other}: neither a man page nor completions of a known shell"),
        };
        tree.add(&path, content.clone());
    }
    Ok(tree)
}

fn control_file(release: &Release, bytes: usize, libc: &str) -> Result<String> {
    let mut text = String::new();
    let kibibytes = bytes.div_ceil(1024);
    // Debian's versions have `~` where semantic versions have the `-` of a pre-release: it sorts before the release.
    let version = release.version.replace('-', "~");
    writeln!(text, "Package: sealwright")?;
    writeln!(text, "Version: {version}")?;
    writeln!(text, "Architecture: {}", architecture())?;
    writeln!(text, "Maintainer: The Sealwright authors")?;
    writeln!(text, "Installed-Size: {kibibytes}")?;
    writeln!(text, "Depends: {DEPENDS}, libc6 (>= {libc})")?;
    writeln!(text, "Suggests: {SUGGESTS}")?;
    writeln!(text, "Section: web")?;
    writeln!(text, "Priority: optional")?;
    writeln!(text, "Description: {DESCRIPTION}")?;
    Ok(text)
}

const DEPENDS: &str = "ca-certificates, libgcc-s1, systemd | systemd-standalone-sysusers, \
                       systemd | systemd-standalone-tmpfiles";
const SUGGESTS: &str = "postgresql, tesseract-ocr, tesseract-ocr-fra, tesseract-ocr-deu, tesseract-ocr-spa, \
                        tesseract-ocr-ita, tesseract-ocr-nld, tesseract-ocr-por";
const DESCRIPTION: &str = "turns what happened in the field into proof
 Sealwright collects photos, documents, entries and signatures over an HTTP
 API and in its own pages, and makes a sealed, time-stamped PDF of each case.
 Anyone can verify it without this server.";

/// Appends a member to an `ar` archive.
fn add_member(archive: &mut Vec<u8>, name: &str, content: &[u8], time: u64) -> Result<()> {
    use std::io::Write as _;
    let size = content.len();
    let (owner, mode) = (0, "100644");
    writeln!(archive, "{name:<16}{time:<12}{owner:<6}{owner:<6}{mode:<8}{size:<10}`")?;
    archive.extend_from_slice(content);
    if size % 2 == 1 {
        archive.push(b'\n');
    }
    Ok(())
}
