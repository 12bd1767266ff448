//! Container images in the OCI image layout, as one tar archive each: made without a container engine, and without a
//! distribution. An image has the program, the libraries that it needs, and no shell.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{
    debian::architecture,
    libraries::{self, AUTHORITIES},
    release::{Release, read},
    tree::{Tree, gzip},
};

/// The user of the process, which owns nothing but the data folder. Not a number that distributions give to people.
const USER: u32 = 65532;
const DATA: &str = "/var/lib/sealwright";

const CONFIG: &str = "application/vnd.oci.image.config.v1+json";
const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const LAYER: &str = "application/vnd.oci.image.layer.v1.tar+gzip";

/// A layer of an image.
#[derive(Debug)]
pub(super) struct Layer {
    /// How it was made, for the image's history.
    made_by: &'static str,
    /// The digest of the archive before it was compressed.
    diff: String,
    compressed: Vec<u8>,
}

/// Shared libraries, certificate authorities, the user and the folders: changes only with the machine that packs.
pub(super) fn base_layer(release: &Release) -> Result<Layer> {
    let mut tree = Tree::default();
    add_files(&mut tree, libraries::of_program(&release.program)?)?;
    add_files(&mut tree, vec![AUTHORITIES.into()])?;
    let user = format!("sealwright:x:{USER}:{USER}:Sealwright:{DATA}:/nonexistent\n");
    tree.add("etc/passwd", format!("root:x:0:0:root:/:/nonexistent\n{user}").into_bytes());
    tree.add("etc/group", format!("root:x:0:\nsealwright:x:{USER}:\n").into_bytes());
    tree.add("etc/nsswitch.conf", b"hosts: files dns\n".to_vec());
    tree.add_folder("tmp", 0o1777, 0);
    tree.add_folder(DATA.trim_start_matches('/'), 0o700, USER);
    layer(release, "libraries and certificate authorities", &tree)
}

/// Tesseract with its libraries and languages.
pub(super) fn text_recognition_layer(release: &Release) -> Result<Layer> {
    let mut tree = Tree::default();
    add_files(&mut tree, libraries::text_recognition()?)?;
    layer(release, "text recognition", &tree)
}

/// The program and its licences.
pub(super) fn program_layer(release: &Release, sbom: &[u8]) -> Result<Layer> {
    let mut tree = Tree::default();
    tree.add_with_mode("usr/bin/sealwright", 0o755, read(&release.program)?);
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        tree.add(&format!("usr/share/doc/sealwright/{name}"), release.source(name)?);
    }
    tree.add("usr/share/doc/sealwright/sbom.cdx.json", sbom.to_vec());
    layer(release, "the program", &tree)
}

/// Copies files of this machine to the same paths. What links to a file becomes a copy.
fn add_files(tree: &mut Tree, files: Vec<PathBuf>) -> Result<()> {
    for file in files {
        let path = file.to_str().context("a path is not UTF-8")?.trim_start_matches('/');
        // Programs and libraries are started by anyone, data is read by anyone.
        let mode = if path.starts_with("usr/share/") || path.starts_with("etc/") { 0o644 } else { 0o755 };
        tree.add_with_mode(path, mode, read(&file)?);
    }
    Ok(())
}

fn layer(release: &Release, made_by: &'static str, tree: &Tree) -> Result<Layer> {
    let archive = tree.archive("", release.time)?;
    Ok(Layer { made_by, diff: digest(&archive), compressed: gzip(&archive, release.compression)? })
}

/// Makes the image: the archive of an OCI layout with one manifest, named `tag`.
pub(super) fn image(release: &Release, tag: &str, layers: &[&Layer]) -> Result<Vec<u8>> {
    let mut layout = Tree::default();
    let mut listed = Vec::new();
    for layer in layers {
        listed.push(add_blob(&mut layout, LAYER, layer.compressed.clone()));
    }
    let config = add_blob(&mut layout, CONFIG, serde_json::to_vec(&config(release, layers)?)?);
    let manifest = json!({ "schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": listed });
    let mut manifest = add_blob(&mut layout, MANIFEST, serde_json::to_vec(&manifest)?);
    manifest["annotations"] = json!({
        "org.opencontainers.image.ref.name": tag,
        // For `docker load` and containerd, which take the full name from here.
        "io.containerd.image.name": format!("docker.io/library/sealwright:{tag}"),
    });
    let index = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": [manifest],
    });
    // The same for older versions of `docker load`, which know only Docker's own list.
    let docker = json!([{
        "Config": blob_path(&config),
        "RepoTags": [format!("sealwright:{tag}")],
        "Layers": listed.iter().map(blob_path).collect::<Vec<_>>(),
    }]);
    layout.add("manifest.json", serde_json::to_vec(&docker)?);
    layout.add("index.json", serde_json::to_vec(&index)?);
    layout.add("oci-layout", serde_json::to_vec(&json!({ "imageLayoutVersion": "1.0.0" }))?);
    layout.archive("", release.time)
}

/// What runs, as whom, and with which settings. The addresses are those of the container, so they may be open.
fn config(release: &Release, layers: &[&Layer]) -> Result<Value> {
    let created = jiff::Timestamp::from_second(i64::try_from(release.time)?)?.to_string();
    let history: Vec<Value> =
        layers.iter().map(|layer| json!({ "created": created, "created_by": layer.made_by })).collect();
    let diffs: Vec<&str> = layers.iter().map(|layer| layer.diff.as_str()).collect();
    Ok(json!({
        "created": created,
        "architecture": architecture(),
        "os": "linux",
        "config": {
            "User": format!("{USER}:{USER}"),
            "Entrypoint": ["/usr/bin/sealwright"],
            "Cmd": ["serve"],
            "WorkingDir": DATA,
            "Env": [
                "PATH=/usr/bin",
                format!("SEALWRIGHT_DATA_DIR={DATA}"),
                "SEALWRIGHT_LISTEN=0.0.0.0:8080",
                "SEALWRIGHT_ADMIN_LISTEN=0.0.0.0:8081",
            ],
            "ExposedPorts": { "8080/tcp": {}, "8081/tcp": {} },
            "Volumes": { DATA: {} },
            "StopSignal": "SIGTERM",
            "Labels": {
                "org.opencontainers.image.title": "Sealwright",
                "org.opencontainers.image.version": release.version,
                "org.opencontainers.image.licenses": "MIT OR Apache-2.0",
                "org.opencontainers.image.created": created,
            },
        },
        "rootfs": { "type": "layers", "diff_ids": diffs },
        "history": history,
    }))
}

/// Adds content under its digest and returns its descriptor.
fn add_blob(layout: &mut Tree, media_type: &str, content: Vec<u8>) -> Value {
    let descriptor = json!({ "mediaType": media_type, "digest": digest(&content), "size": content.len() });
    layout.add(&blob_path(&descriptor), content);
    descriptor
}

/// Where the content of a descriptor is in the layout.
fn blob_path(descriptor: &Value) -> String {
    format!("blobs/{}", descriptor["digest"].as_str().unwrap_or_default().replace(':', "/"))
}

fn digest(bytes: &[u8]) -> String {
    format!("sha256:{}", hex::encode(Sha256::digest(bytes)))
}
