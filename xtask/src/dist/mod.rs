//! `cargo xtask dist`: makes the files of a release. The same program, sources and time give the same bytes
//! (docs/adr/0051-packages.md).

mod archive;
mod debian;
mod image;
mod libraries;
mod release;
mod sbom;
mod sums;
#[cfg(test)]
mod tests;
mod tree;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result};
use clap::Args;

use self::release::Release;
use crate::{
    artefact::{cargo_home, without_paths},
    machine,
    workspace::{Workspace, build_programs},
};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Pack this program instead of building the release program
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// The folder for the packages [default: <target>/dist]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Sign SHA256SUMS with this SSH key
    #[arg(long, value_name = "FILE")]
    sign_key: Option<PathBuf>,
    /// Do not make the image with text recognition
    #[arg(long)]
    without_ocr: bool,
}

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    machine::prepare_packages(workspace.install, !options.without_ocr)?;
    let program = match &options.program {
        Some(program) => program.clone(),
        None => build(workspace)?,
    };
    let release = Release::of_program(&program, &workspace.root)?;
    let folder = options.out.clone().unwrap_or_else(|| workspace.target_dir.join("dist"));
    let names = pack(&release, &folder, !options.without_ocr, |task| workspace.cargo(task))?;
    if let Some(key) = &options.sign_key {
        sums::sign(&folder, key)?;
    }
    let signature = options.sign_key.is_some().then(|| sums::SIGNATURE.to_owned());
    for name in names.into_iter().chain(signature) {
        println!("{}", folder.join(name).display());
    }
    Ok(())
}

/// Builds the release program without paths of this machine in it.
fn build(workspace: &Workspace) -> Result<PathBuf> {
    let mut build = workspace.cargo_with_plugins("build")?;
    build.env("CARGO_ENCODED_RUSTFLAGS", without_paths(&workspace.root)?.join("\u{1f}"));
    // Code in C names its files in assertions.
    let c_flags = env::var("CFLAGS").unwrap_or_default();
    build.env("CFLAGS", format!("{c_flags} -ffile-prefix-map={}=cargo", cargo_home()?.display()).trim());
    let programs = build_programs(build.args(["--release", "--locked", "-p", "sealwright"]))?;
    programs.get("sealwright").cloned().context("cargo built no program named sealwright")
}

/// Makes all packages in a folder, and returns their names.
fn pack(
    release: &Release,
    folder: &Path,
    with_text_recognition: bool,
    cargo: impl Fn(&str) -> Command,
) -> Result<Vec<String>> {
    fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()))?;
    let Release { version, .. } = release;
    let debian_architecture = debian::architecture();
    let mut names = Vec::new();
    let mut write = |name: String, bytes: &[u8]| -> Result<()> {
        fs::write(folder.join(&name), bytes).with_context(|| format!("writing {name}"))?;
        names.push(name);
        Ok(())
    };
    let sbom = sbom::bill(release, cargo)?;
    write(format!("sealwright-{version}-{debian_architecture}.cdx.json"), &sbom)?;
    write(format!("sealwright-{version}-{}-linux.tar.gz", env::consts::ARCH), &archive::archive(release)?)?;
    write(format!("sealwright_{version}_{debian_architecture}.deb"), &debian::package(release, &sbom)?)?;
    let (base, program) = (image::base_layer(release)?, image::program_layer(release, &sbom)?);
    let plain = image::image(release, version, &[&base, &program])?;
    write(format!("sealwright-{version}-{debian_architecture}.oci.tar"), &plain)?;
    if with_text_recognition {
        let recognition = image::text_recognition_layer(release)?;
        let image = image::image(release, &format!("{version}-ocr"), &[&base, &recognition, &program])?;
        write(format!("sealwright-{version}-ocr-{debian_architecture}.oci.tar"), &image)?;
    }
    sums::write(folder, &names)?;
    names.push("SHA256SUMS".to_owned());
    Ok(names)
}
