//! Shared by the tests: an authority that is the same in every run, a folder for files, and the judging programs.

use std::{
    ffi::OsStr,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

use sealwright_seal::{
    Sha256Digest, UnixTime,
    pki::{DevelopmentAuthority, Identity, RandomBytes, TrustAnchor},
    tsp::TimeStampAuthority,
};

/// 2026-11-20T10:00:00.573Z: the time of all tests, whatever the machine's clock says.
pub(crate) fn now() -> UnixTime {
    UnixTime::from_millis(1_795_168_800_573).unwrap()
}

/// Bytes that look random and are the same in every run.
pub(crate) fn random<const N: usize>(label: &str) -> [u8; N] {
    Sha256Digest::of(label).as_bytes()[..N].try_into().unwrap()
}

pub(crate) fn authority(name: &str) -> DevelopmentAuthority {
    authority_at(name, now())
}

/// An authority created the day before.
pub(crate) fn authority_at(name: &str, now: UnixTime) -> DevelopmentAuthority {
    let random = RandomBytes {
        keys: ["root", "seal", "time"].map(|key| random(&format!("{name} key {key}"))),
        serial_numbers: ["root", "seal", "time"].map(|key| random(&format!("{name} serial {key}"))),
    };
    let yesterday = UnixTime::from_millis(now.as_millis() - 86_400_000).unwrap();
    DevelopmentAuthority::new(name, &random, yesterday).unwrap()
}

/// The current time, for judges whose clock cannot be set.
#[expect(clippy::disallowed_methods, reason = "the judges use this clock too")]
pub(crate) fn machine_time() -> UnixTime {
    let since_epoch = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    UnixTime::from_millis(i64::try_from(since_epoch.as_millis()).unwrap()).unwrap()
}

/// An authority's two identities: the signer, the time stamps; and its anchors.
pub(crate) struct Sealing {
    pub(crate) identity: Identity,
    pub(crate) stamps: TimeStampAuthority,
    pub(crate) anchors: Vec<TrustAnchor>,
}

pub(crate) fn sealing(name: &str) -> Sealing {
    sealing_of(authority(name))
}

pub(crate) fn sealing_of(authority: DevelopmentAuthority) -> Sealing {
    let anchors = vec![TrustAnchor { certificate: authority.root.clone(), development: true }];
    let (identity, time_stamping) = authority.into_identities().unwrap();
    Sealing { identity, stamps: TimeStampAuthority::new(time_stamping, Some(1000)), anchors }
}

/// A folder that is deleted on drop.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }
}

/// The output of a judge.
#[derive(Debug)]
pub(crate) struct Verdict {
    pub(crate) success: bool,
    pub(crate) text: String,
}

/// Runs a program that may not be installed. If it is not, prints that and returns `None`; with `CI` set, fails.
pub(crate) fn judge<A: AsRef<OsStr>>(program: &str, arguments: &[A], folder: &Folder) -> Option<Verdict> {
    let Some(path) = find(program) else {
        skip_loudly(&format!("{program} is not installed"));
        return None;
    };
    let output = Command::new(path).args(arguments).current_dir(folder.0.path()).env("LC_ALL", "C").output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    Some(Verdict { success: output.status.success(), text: String::from_utf8_lossy(&text).into_owned() })
}

/// Prints that something was not tested, bypassing the capture of the tests' output. Fails with `CI` set.
pub(crate) fn skip_loudly(reason: &str) {
    assert!(std::env::var_os("CI").is_none(), "{reason}, and CI tests everything");
    let _ = writeln!(std::io::stderr(), "SKIPPED, NOT TESTED: {reason}");
}

/// Next to the Python that `SEALWRIGHT_TEST_PYTHON` names (in a virtual environment), then in `PATH`.
fn find(program: &str) -> Option<PathBuf> {
    let python = std::env::var_os("SEALWRIGHT_TEST_PYTHON");
    let python = python.and_then(|python| PathBuf::from(python).parent().map(Path::to_path_buf));
    let path = std::env::var_os("PATH").unwrap_or_default();
    python
        .into_iter()
        .chain(std::env::split_paths(&path).collect::<Vec<_>>())
        .map(|folder: PathBuf| folder.join(program))
        .find(|candidate: &PathBuf| Path::is_file(candidate))
}
