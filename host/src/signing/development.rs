//! The development authority of an installation whose operator has no certificate yet: a root, a signing key and a
//! time-stamping key in a folder of `data_dir`.
//!
//! The folder is created completely or not at all, and never overwritten: its signatures are always checked against its
//! root. To start with a new one, rename the folder so that it still starts with `development-authority`: its root
//! stays known.

use std::{
    fs, io,
    io::Write,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    sync::Arc,
};

use sealwright_seal::{
    Certificate,
    pki::{DevelopmentAuthority, Identity, KeyError, PrivateKey, Purpose, RandomBytes, revocation_list},
};
use serde::Serialize;

use super::{SigningError, operator, read_chain, unix_time};
use crate::{
    clock::{Timestamp, random_bytes, random_key},
    config::SignerFiles,
};

/// The folder's name in `data_dir`, and the prefix of the names of earlier ones.
const NAME: &str = "development-authority";
/// The default organization in its certificates.
const ORGANIZATION: &str = "Sealwright development";

const ROOT_KEY: &str = "root.key";
const ROOT: &str = "root.pem";
const SIGNING: (&str, &str) = ("seal.key", "seal-chain.pem");
const TIME_STAMPING: (&str, &str) = ("time-stamping.key", "time-stamping-chain.pem");

/// How long a revocation list is valid, in days.
const LIST_DAYS: u32 = 30;

/// The location of a development authority.
#[derive(Clone, Debug)]
pub struct DevelopmentFolder {
    data_dir: PathBuf,
}

/// A development authority that was just created.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Made {
    pub folder: PathBuf,
    /// The root's subject.
    pub root: String,
    /// Over the root's DER, in lowercase hexadecimal.
    pub root_sha256: String,
    /// Until when the signing key's certificate is valid.
    pub valid_until: String,
}

/// A development authority that was loaded.
#[derive(Debug)]
pub(super) struct Authority {
    folder: PathBuf,
    root: Certificate,
    root_key: PrivateKey,
    pub(super) signer: Arc<Identity>,
}

impl DevelopmentFolder {
    pub fn of(data_dir: &Path) -> Self {
        Self { data_dir: data_dir.to_owned() }
    }

    pub fn path(&self) -> PathBuf {
        self.data_dir.join(NAME)
    }

    /// Creates an authority for `organization`.
    ///
    /// # Errors
    /// [`SigningError::Taken`] if there is one already.
    pub fn create(&self, organization: Option<&str>, now: Timestamp) -> Result<Made, SigningError> {
        let path = self.path();
        if path.exists() {
            return Err(SigningError::Taken { path });
        }
        let authority = make(organization.unwrap_or(ORGANIZATION), now)?;
        let made = Made {
            root: authority.root.subject(),
            root_sha256: authority.root.fingerprint().to_string(),
            valid_until: authority.signing.not_after().to_string(),
            folder: path.clone(),
        };
        if self.write(&authority)? { Ok(made) } else { Err(SigningError::Taken { path }) }
    }

    /// Loads the authority, or creates it if there is none. Two processes may do this at once: both get the same.
    pub(super) fn load_or_create(&self, now: Timestamp) -> Result<Authority, SigningError> {
        if !self.path().exists() && self.write(&make(ORGANIZATION, now)?)? {
            tracing::warn!(
                folder = %self.path().display(),
                "a development authority was created: certificates are signed with a key that no one outside trusts"
            );
        }
        self.load()
    }

    fn load(&self) -> Result<Authority, SigningError> {
        let folder = self.path();
        let root_path = folder.join(ROOT);
        let root = read_chain(&root_path)?.swap_remove(0);
        let root_key = operator::read_key(&folder.join(ROOT_KEY))?;
        let signer = Arc::new(load_identity(&folder, SIGNING, Purpose::DocumentSigning)?);
        Ok(Authority { folder, root, root_key, signer })
    }

    /// The roots of this and of earlier authorities, sorted by folder name.
    pub fn known_roots(&self) -> Result<Vec<Certificate>, SigningError> {
        let failed = |cause| SigningError::Read { path: self.data_dir.clone(), cause };
        let mut folders = Vec::new();
        for entry in match fs::read_dir(&self.data_dir) {
            Ok(entries) => entries,
            Err(missing) if missing.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(cause) => return Err(failed(cause)),
        } {
            let entry = entry.map_err(failed)?;
            let is_one = entry.file_name().to_string_lossy().starts_with(NAME);
            if is_one && entry.path().join(ROOT).is_file() {
                folders.push(entry.path());
            }
        }
        folders.sort();
        let mut roots = Vec::new();
        for folder in folders {
            roots.extend(read_chain(&folder.join(ROOT))?.into_iter().take(1));
        }
        Ok(roots)
    }

    /// Writes the files into a draft folder, and renames it once all are on the disk. False if another process was
    /// faster.
    fn write(&self, authority: &DevelopmentAuthority) -> Result<bool, SigningError> {
        let path = self.path();
        let failed = |cause| SigningError::Make { path: path.clone(), cause };
        fs::create_dir_all(&self.data_dir).map_err(failed)?;
        let draft = self.data_dir.join(format!(".{NAME}-{}", random_key()));
        let key_failed = |error: KeyError| SigningError::Key { path: path.clone(), error };
        let chain = |certificate: &Certificate| format!("{}{}", certificate.to_pem(), authority.root.to_pem());
        let files = [
            (ROOT_KEY, authority.root_key.to_pem().map_err(key_failed)?),
            (ROOT, authority.root.to_pem().into()),
            (SIGNING.0, authority.signing_key.to_pem().map_err(key_failed)?),
            (SIGNING.1, chain(&authority.signing).into()),
            (TIME_STAMPING.0, authority.time_stamping_key.to_pem().map_err(key_failed)?),
            (TIME_STAMPING.1, chain(&authority.time_stamping).into()),
        ];
        let written = write_draft(&draft, &files.each_ref().map(|(name, text)| (*name, text.as_bytes())))
            // Renaming onto a folder with files fails, so an existing one stays.
            .and_then(|()| fs::rename(&draft, &path))
            .and_then(|()| fs::File::open(&self.data_dir)?.sync_all());
        match written {
            Ok(()) => Ok(true),
            Err(cause) => {
                // The draft is useless, and the relevant error is the one above.
                let _ = fs::remove_dir_all(&draft);
                if path.join(ROOT).is_file() { Ok(false) } else { Err(failed(cause)) }
            }
        }
    }
}

impl Authority {
    /// The identity that stamps times. Read from the disk each time, because it is needed only once.
    pub(super) fn time_stamping(&self) -> Result<Identity, SigningError> {
        load_identity(&self.folder, TIME_STAMPING, Purpose::TimeStamping)
    }

    /// An empty revocation list.
    pub(super) fn revocation_list(&self, now: Timestamp) -> Result<Vec<u8>, SigningError> {
        let (number, now) = (u64::try_from(now.as_millis()).unwrap_or(0), unix_time(now)?);
        Ok(revocation_list(&self.root, &self.root_key, number, now, now.plus_days(LIST_DAYS), &[])?)
    }
}

fn load_identity(folder: &Path, (key, chain): (&str, &str), purpose: Purpose) -> Result<Identity, SigningError> {
    let files = SignerFiles { key: folder.join(key), certificate_chain: folder.join(chain) };
    operator::identity(
        Box::new(operator::read_key(&files.key)?),
        read_chain(&files.certificate_chain)?,
        &files,
        purpose,
    )
}

fn make(organization: &str, now: Timestamp) -> Result<DevelopmentAuthority, SigningError> {
    loop {
        let random = RandomBytes {
            keys: [random_bytes(), random_bytes(), random_bytes()],
            serial_numbers: [random_bytes(), random_bytes(), random_bytes()],
        };
        match DevelopmentAuthority::new(organization, &random, unix_time(now)?) {
            Err(sealwright_seal::pki::AuthorityError::Key(KeyError::Unlucky)) => {}
            made => return Ok(made?),
        }
    }
}

fn write_draft(draft: &Path, files: &[(&str, &[u8])]) -> io::Result<()> {
    fs::DirBuilder::new().mode(0o700).create(draft)?;
    for (name, bytes) in files {
        let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(draft.join(name))?;
        file.write_all(bytes)?;
        file.sync_all()?;
    }
    fs::File::open(draft)?.sync_all()
}
