mod places;

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    time::Duration,
};

use sealwright_seal::pki::{DevelopmentAuthority, RandomBytes};

use super::*;
use crate::config::{SignerFiles, SignerSource};

const NOW: Timestamp = Timestamp::from_millis(1_795_168_800_000);

fn settings(signer: Option<SignerFiles>) -> SealSettings {
    SealSettings {
        signer: signer.map(SignerSource::Pem),
        trust: None,
        earlier_certificates: None,
        evidence: false,
        revocation_private_addresses: Vec::new(),
        tsa_urls: Vec::new(),
        tsa_timeout: Duration::from_secs(1),
        tsa_pause: Duration::from_secs(1),
        tsa_quorum: 1,
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn authority() -> DevelopmentAuthority {
    let random = RandomBytes { keys: [[1; 32], [2; 32], [3; 32]], serial_numbers: [[4; 16], [5; 16], [6; 16]] };
    DevelopmentAuthority::new("Example", &random, unix_time(NOW).unwrap()).unwrap()
}

/// Key and chain of an operator, in files.
fn operator(folder: &Path, key: &str, chain: &str) -> SignerFiles {
    let write = |name: &str, text: &str| -> PathBuf {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path
    };
    SignerFiles { key: write("key.pem", key), certificate_chain: write("chain.pem", chain) }
}

#[test]
fn the_development_authority_is_created_once_completely_and_only_for_its_owner() {
    let data = tempfile::tempdir().unwrap();
    let made = SealKeys::load_or_create(&settings(None), data.path(), NOW).unwrap();
    let read = SealKeys::load_or_create(&settings(None), data.path(), NOW).unwrap();
    assert_eq!(made.signer().certificate(), read.signer().certificate());
    assert!(made.is_development() && made.development_time_stamps().unwrap().is_some());
    assert_eq!(made.development_roots().len(), 1);
    let folder = DevelopmentFolder::of(data.path()).path();
    assert_eq!(mode(&folder), 0o700);
    let files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 6);
    assert!(files.iter().all(|file| mode(file) == 0o600));
    assert_eq!(fs::read_dir(data.path()).unwrap().count(), 1, "no draft is left behind");
}

#[test]
fn concurrent_processes_get_the_same_authority() {
    let data = tempfile::tempdir().unwrap();
    let roots: Vec<_> = std::thread::scope(|scope| {
        let make = || SealKeys::load_or_create(&settings(None), data.path(), NOW).unwrap().development_roots().to_vec();
        let makers: Vec<_> = (0..8).map(|_| scope.spawn(make)).collect();
        makers.into_iter().map(|maker| maker.join().unwrap()).collect()
    });
    assert!(roots.iter().all(|found| found.len() == 1 && *found == roots[0]));
    assert_eq!(fs::read_dir(data.path()).unwrap().count(), 1, "no draft is left behind");
}

#[test]
fn an_authority_is_never_overwritten_and_an_incomplete_one_is_reported() {
    let data = tempfile::tempdir().unwrap();
    let folder = DevelopmentFolder::of(data.path());
    let made = folder.create(Some("Acme, test"), NOW).unwrap();
    assert!(made.root.contains("Acme\\, test"), "{}", made.root);
    assert!(matches!(folder.create(None, NOW), Err(SigningError::Taken { .. })));
    let keys = SealKeys::load_or_create(&settings(None), data.path(), NOW).unwrap();
    assert_eq!(keys.development_roots()[0].fingerprint().to_string(), made.root_sha256);
    fs::remove_file(folder.path().join("seal.key")).unwrap();
    let error = SealKeys::load_or_create(&settings(None), data.path(), NOW).unwrap_err();
    assert!(matches!(&error, SigningError::Read { path, .. } if path.ends_with("seal.key")), "{error}");
}

#[test]
fn earlier_development_roots_stay_known() {
    let data = tempfile::tempdir().unwrap();
    let first = SealKeys::load_or_create(&settings(None), data.path(), NOW).unwrap();
    let folder = DevelopmentFolder::of(data.path()).path();
    fs::rename(&folder, data.path().join("development-authority-2026")).unwrap();
    let second = SealKeys::load_or_create(&settings(None), data.path(), NOW).unwrap();
    assert_ne!(first.signer().certificate(), second.signer().certificate());
    assert_eq!(second.development_roots().len(), 2);
    assert!(second.development_roots().contains(&first.development_roots()[0]));
}

#[test]
fn an_operators_key_signs_and_needs_no_authority_of_ours() {
    let data = tempfile::tempdir().unwrap();
    let authority = authority();
    let chain = format!("{}{}", authority.signing.to_pem(), authority.root.to_pem());
    let files = operator(data.path(), &authority.signing_key.to_pem().unwrap(), &chain);
    let mut settings = settings(Some(files));
    settings.tsa_urls.push("http://tsa.example/".parse().unwrap());
    let keys = SealKeys::load_or_create(&settings, data.path(), NOW).unwrap();
    assert_eq!(keys.signer().certificate(), &authority.signing);
    assert!(!keys.is_development() && keys.development_time_stamps().unwrap().is_none());
    assert!(!DevelopmentFolder::of(data.path()).path().exists());
}

#[test]
fn a_key_that_cannot_seal_is_refused_with_the_reason() {
    let data = tempfile::tempdir().unwrap();
    let authority = authority();
    let (key, root) = (authority.signing_key.to_pem().unwrap(), authority.root.to_pem());
    let (signing, stamping) = (authority.signing.to_pem(), authority.time_stamping.to_pem());
    let stamping_key = authority.time_stamping_key.to_pem().unwrap();
    for (key, chain, reason) in [
        (key.as_str(), format!("{stamping}{root}"), "the key is not the one in the certificate"),
        (&stamping_key, format!("{stamping}{root}"), "may not be used for this"),
        (&key, format!("{root}{signing}"), "the key is not the one in the certificate"),
        (&key, "no certificate".to_owned(), "chain.pem: no `-----BEGIN CERTIFICATE-----`"),
        ("no key", format!("{signing}{root}"), "key.pem: not a private key in PEM"),
    ] {
        let files = operator(data.path(), key, &chain);
        let error = SealKeys::load_or_create(&settings(Some(files)), data.path(), NOW).unwrap_err();
        assert!(error.to_string().contains(reason), "{error}");
        assert!(error.to_string().contains(".pem") && !error.remedy().is_empty(), "{error}");
    }
    let missing =
        SignerFiles { key: data.path().join("missing.pem"), certificate_chain: data.path().join("chain.pem") };
    let error = SealKeys::load_or_create(&settings(Some(missing)), data.path(), NOW).unwrap_err();
    assert!(error.to_string().contains("missing.pem"), "{error}");
}

#[test]
fn an_expired_certificate_is_reported() {
    let data = tempfile::tempdir().unwrap();
    let authority = authority();
    let chain = format!("{}{}", authority.signing.to_pem(), authority.root.to_pem());
    let files = operator(data.path(), &authority.signing_key.to_pem().unwrap(), &chain);
    let at = |now| SealKeys::load_or_create(&settings(Some(files.clone())), data.path(), now);
    let eleven_years = NOW.after(Duration::from_hours(11 * 365 * 24));
    assert!(matches!(at(eleven_years).unwrap_err(), SigningError::Expired { .. }));
    assert!(matches!(at(NOW.before(Duration::from_hours(24))).unwrap_err(), SigningError::NotYetValid { .. }));
    assert!(at(NOW).is_ok());
}
