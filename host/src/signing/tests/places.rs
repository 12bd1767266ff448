//! Keys in every supported place. OpenSSL and `SoftHSM`'s own tools create the files and the device's content, because
//! a format that only we write and read would prove nothing.

use std::{
    env, fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::Command,
};

use sealwright_seal::{
    UnixTime,
    pki::{Identity, Issue, PrivateKey, SignatureAlgorithm, Signer as _, Usage, issue},
};

use crate::{
    config::{SecretSource, SignerFiles, SignerSource},
    signing::{SigningError, operator, operator::secret, pkcs11},
};

/// 2026-11-20 and a year later.
const DAYS: (i64, u32) = (1_795_168_800_000, 365);

fn run(folder: &Path, program: &str, arguments: &str) -> bool {
    let output = Command::new(program).args(arguments.split(' ')).current_dir(folder).output();
    match output {
        Err(_) => false,
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{program} {arguments}: {text}");
            true
        }
    }
}

/// Prints that nothing was tested, which must not look like a success.
fn skipped(what: &str) {
    assert!(env::var_os("CI").is_none(), "{what} is needed");
    let _ = writeln!(io::stderr(), "SKIPPED, NOT TESTED: {what} is not installed");
}

/// A chain of two for the key whose public key is given, in `chain.pem`.
fn certify(folder: &Path, public_key: &[u8]) {
    let from = UnixTime::from_millis(DAYS.0).unwrap();
    let until = from.plus_days(DAYS.1);
    let root_key = PrivateKey::p256_from_random(&[7; 32]).unwrap();
    let request = |usage, common_name, public_key| Issue {
        usage,
        common_name,
        organization: "Example",
        public_key,
        serial_number: [1; 16],
        not_before: from,
        not_after: until,
    };
    let root_public = root_key.public_key_der().unwrap();
    let root = issue(&request(Usage::Root, "Root", &root_public), None, &root_key).unwrap();
    let own = issue(&request(Usage::DocumentSigning, "Seal", public_key), Some(&root), &root_key).unwrap();
    fs::write(folder.join("chain.pem"), format!("{}{}", own.to_pem(), root.to_pem())).unwrap();
    fs::write(folder.join("root.pem"), root.to_pem()).unwrap();
}

fn make_key(folder: &Path, arguments: &str) -> bool {
    if !run(folder, "openssl", &format!("genpkey {arguments} -out key.pem")) {
        skipped("openssl");
        return false;
    }
    let key = PrivateKey::from_pem(&fs::read_to_string(folder.join("key.pem")).unwrap()).unwrap();
    certify(folder, &key.public_key_der().unwrap());
    true
}

fn open(source: &SignerSource) -> Result<Identity, SigningError> {
    operator::load(source)
}

fn pem(folder: &Path) -> SignerSource {
    SignerSource::Pem(SignerFiles { key: folder.join("key.pem"), certificate_chain: folder.join("chain.pem") })
}

fn pkcs12(folder: &Path, name: &str, password: Option<&str>) -> SignerSource {
    let password = password.map(|password| {
        fs::write(folder.join("password"), format!("{password}\r\n")).unwrap();
        SecretSource::File(folder.join("password"))
    });
    SignerSource::Pkcs12 { file: folder.join(name), password }
}

const KEYS: [(&str, SignatureAlgorithm); 3] = [
    ("-algorithm EC -pkeyopt ec_paramgen_curve:P-256", SignatureAlgorithm::EcdsaWithSha256),
    ("-algorithm EC -pkeyopt ec_paramgen_curve:P-384", SignatureAlgorithm::EcdsaWithSha256),
    ("-algorithm RSA -pkeyopt rsa_keygen_bits:3072", SignatureAlgorithm::RsaWithSha256),
];

#[test]
fn a_key_in_pem_or_pkcs_12_is_an_identity_with_its_whole_chain() {
    for (arguments, algorithm) in KEYS {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        if !make_key(folder, arguments) {
            return;
        }
        let in_pem = open(&pem(folder)).unwrap();
        assert_eq!((in_pem.signer().algorithm(), in_pem.chain().len()), (algorithm, 2), "{arguments}");
        let export = "pkcs12 -export -inkey key.pem -in chain.pem";
        run(folder, "openssl", &format!("{export} -passout pass:secret -name seal -out new.p12"));
        run(folder, "openssl", &format!("{export} -passout pass:secret -legacy -out old.p12"));
        run(folder, "openssl", &format!("{export} -passout pass: -out open.p12"));
        for (name, password) in [("new.p12", Some("secret")), ("old.p12", Some("secret")), ("open.p12", None)] {
            let identity = open(&pkcs12(folder, name, password)).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(identity.chain(), in_pem.chain(), "{name}");
        }
    }
}

#[test]
fn an_error_in_a_key_file_is_reported_with_its_name_and_without_the_password() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    if !make_key(folder, KEYS[0].0) {
        return;
    }
    let export = "pkcs12 -export -in chain.pem -passout pass:secret";
    run(folder, "openssl", &format!("{export} -inkey key.pem -out seal.p12"));
    run(folder, "openssl", &format!("{export} -nokeys -out none.p12"));
    let refused = |source: &SignerSource| open(source).unwrap_err().to_string();
    let wrong = refused(&pkcs12(folder, "seal.p12", Some("guess")));
    assert!(wrong.contains("seal.p12: the password is wrong") && !wrong.contains("guess"), "{wrong}");
    let no_key = refused(&pkcs12(folder, "none.p12", Some("secret")));
    assert!(no_key.contains("contains 0 private keys"), "{no_key}");
    let no_pfx = refused(&pkcs12(folder, "chain.pem", None));
    assert!(no_pfx.contains("not a PKCS #12 file"), "{no_pfx}");
    let missing = refused(&pkcs12(folder, "missing.p12", None));
    assert!(missing.contains("missing.p12: "), "{missing}");
    let unset = SecretSource::Environment("SEALWRIGHT_TEST_NO_SUCH_VARIABLE".to_owned());
    let unset = refused(&SignerSource::Pkcs12 { file: folder.join("seal.p12"), password: Some(unset) });
    assert!(unset.contains("SEALWRIGHT_TEST_NO_SUCH_VARIABLE"), "{unset}");
    // Certificates of another key.
    certify(folder, &PrivateKey::p256_from_random(&[9; 32]).unwrap().public_key_der().unwrap());
    let other = refused(&pem(folder));
    assert!(other.contains("the key is not the one in the certificate"), "{other}");
    fs::write(folder.join("chain.pem"), "nothing").unwrap();
    assert!(refused(&pem(folder)).contains("chain.pem: no `-----BEGIN CERTIFICATE-----`"));
}

/// The paths on Debian, Fedora and with Homebrew.
const MODULES: [&str; 3] =
    ["/usr/lib/softhsm/libsofthsm2.so", "/usr/lib64/pkcs11/libsofthsm2.so", "/opt/homebrew/lib/softhsm/libsofthsm2.so"];
const PIN: &str = "8642";
/// Set in the process that has tokens: the folder with the keys.
const TOKENS: &str = "SEALWRIGHT_TEST_TOKENS";

fn device(folder: &Path, token: &str, key: &str, pin: Option<&str>) -> SignerSource {
    let pin = pin.map(|pin| {
        fs::write(folder.join("pin"), pin).unwrap();
        SecretSource::File(folder.join("pin"))
    });
    let module = MODULES.iter().map(PathBuf::from).find(|module| module.exists()).unwrap();
    let certificate_chain = folder.join(format!("{key}.pem"));
    SignerSource::Pkcs11 { module, token: token.to_owned(), key: key.to_owned(), pin, certificate_chain }
}

/// A token in a folder of its own, with a key of each kind. `SoftHSM` finds its folder by an environment variable,
/// which a process must not change for itself, so this test runs again in a child process.
#[test]
fn a_key_in_a_device_signs_without_leaving_it() {
    if let Some(folder) = env::var_os(TOKENS) {
        return in_the_process_with_tokens(Path::new(&folder));
    }
    if !MODULES.iter().any(|module| Path::new(module).exists()) {
        return skipped("softhsm2");
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let conf = folder.join("softhsm2.conf");
    fs::create_dir(folder.join("tokens")).unwrap();
    let text = format!("directories.tokendir = {}\nobjectstore.backend = file\n", folder.join("tokens").display());
    fs::write(&conf, text).unwrap();
    let softhsm = |arguments: &str| {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let made =
            Command::new("softhsm2-util").args(&arguments).env("SOFTHSM2_CONF", &conf).current_dir(folder).output();
        let made = made.unwrap();
        assert!(made.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&made.stderr));
    };
    softhsm(&format!("--init-token --free --label seals --so-pin 1357 --pin {PIN}"));
    for (number, (arguments, _)) in KEYS.iter().enumerate() {
        if !make_key(folder, arguments) {
            return;
        }
        softhsm(&format!("--import key.pem --token seals --label key-{number} --id 0{number} --pin {PIN}"));
        fs::copy(folder.join("chain.pem"), folder.join(format!("key-{number}.pem"))).unwrap();
    }
    softhsm(&format!("--import key.pem --token seals --label twice --id 0A --pin {PIN}"));
    softhsm(&format!("--import key.pem --token seals --label twice --id 0B --pin {PIN}"));
    // No private key is left outside of the token.
    fs::remove_file(folder.join("key.pem")).unwrap();
    for test in ["a_key_in_a_device_signs_without_leaving_it", "a_wrong_pin_is_reported"] {
        let again = Command::new(env::current_exe().unwrap())
            .args(["--exact", &format!("signing::tests::places::{test}")])
            .env("SOFTHSM2_CONF", &conf)
            .env(TOKENS, folder)
            .output()
            .unwrap();
        let output = String::from_utf8_lossy(&again.stdout);
        let errors = String::from_utf8_lossy(&again.stderr);
        assert!(again.status.success() && output.contains("1 passed"), "{test}: {output}{errors}");
    }
}

fn in_the_process_with_tokens(folder: &Path) {
    for (number, (_, algorithm)) in KEYS.iter().enumerate() {
        // Opening creates a signature and checks it against the certificate.
        let identity = open(&device(folder, "seals", &format!("key-{number}"), Some(PIN))).unwrap();
        assert_eq!(identity.signer().algorithm(), *algorithm);
        let key = open_device(folder, &format!("key-{number}"));
        let before = key.sign(b"message").unwrap();
        key.log_out();
        let after = key.sign(b"message").unwrap();
        assert!(!before.is_empty() && !after.is_empty(), "a broken session is opened again");
    }
    let refused = |token: &str, key: &str, pin| open(&device(folder, token, key, pin)).unwrap_err().to_string();
    for (token, key, pin, expected) in [
        ("seal", "key-0", Some(PIN), "no token has the label `seal`; available: "),
        ("seals", "key-9", Some(PIN), "has no private key with the label `key-9`"),
        ("seals", "twice", Some(PIN), "has 2 private keys with the label `twice`"),
    ] {
        let refused = refused(token, key, pin);
        assert!(refused.contains(expected), "{refused}");
    }
    let text = SignerSource::Pkcs11 {
        module: folder.join("pin"),
        token: "seals".to_owned(),
        key: "key-0".to_owned(),
        pin: None,
        certificate_chain: folder.join("key-0.pem"),
    };
    let refused = open(&text).unwrap_err().to_string();
    assert!(refused.contains("the library cannot be used"), "{refused}");
}

fn open_device(folder: &Path, key: &str) -> pkcs11::DeviceKey {
    let SignerSource::Pkcs11 { module, token, key, pin, .. } = device(folder, "seals", key, Some(PIN)) else {
        unreachable!("it was created just now")
    };
    pkcs11::DeviceKey::open(&module, &token, &key, pin.as_ref().map(|pin| secret(pin).unwrap())).unwrap()
}

/// Started by the test above, in a process of its own, because the login belongs to the process.
#[test]
fn a_wrong_pin_is_reported() {
    let Some(folder) = env::var_os(TOKENS) else { return };
    let refused = open(&device(Path::new(&folder), "seals", "key-0", Some("0000"))).unwrap_err().to_string();
    assert!(refused.contains("the PIN of the token `seals` is wrong") && !refused.contains("0000"), "{refused}");
    let refused = open(&device(Path::new(&folder), "seals", "key-0", None)).unwrap_err().to_string();
    assert!(refused.contains("is a PIN needed?"), "{refused}");
}
