//! Keys created by OpenSSL, and signatures checked by OpenSSL.

use sealwright_seal::pki::{KeyError, PrivateKey, SignatureAlgorithm, Signer};

use crate::support::{Folder, judge};

/// Runs `openssl` with arguments separated by blanks; `None` if it is not installed.
fn openssl(folder: &Folder, arguments: &str) -> Option<()> {
    let verdict = judge("openssl", &arguments.split(' ').collect::<Vec<_>>(), folder)?;
    assert!(verdict.success, "{arguments}: {verdict:?}");
    Some(())
}

fn read(folder: &Folder, name: &str) -> Result<PrivateKey, KeyError> {
    PrivateKey::from_pem(&String::from_utf8(folder.read(name)).unwrap())
}

#[test]
fn keys_are_read_in_every_form_of_openssl_and_their_signatures_verify() {
    let folder = Folder::new();
    let Some(()) = openssl(&folder, "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out ec-pkcs8.pem") else {
        return;
    };
    openssl(&folder, "ecparam -genkey -name prime256v1 -out ec-sec1.pem");
    openssl(&folder, "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -out ec384-pkcs8.pem");
    openssl(&folder, "ecparam -genkey -name secp384r1 -out ec384-sec1.pem");
    openssl(&folder, "genrsa -out rsa-pkcs8.pem 3072");
    openssl(&folder, "rsa -in rsa-pkcs8.pem -traditional -out rsa-pkcs1.pem");
    for (name, algorithm) in [
        ("ec-pkcs8.pem", SignatureAlgorithm::EcdsaWithSha256),
        ("ec-sec1.pem", SignatureAlgorithm::EcdsaWithSha256),
        ("ec384-pkcs8.pem", SignatureAlgorithm::EcdsaWithSha256),
        ("ec384-sec1.pem", SignatureAlgorithm::EcdsaWithSha256),
        ("rsa-pkcs8.pem", SignatureAlgorithm::RsaWithSha256),
        ("rsa-pkcs1.pem", SignatureAlgorithm::RsaWithSha256),
    ] {
        let key = read(&folder, name).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(key.algorithm(), algorithm);
        folder.write("message", "a message");
        folder.write("signature", key.sign(b"a message").unwrap());
        folder.write("public.der", key.public_key_der().unwrap());
        openssl(&folder, "pkey -pubin -inform DER -in public.der -pubout -out public.pem");
        openssl(&folder, "dgst -sha256 -verify public.pem -signature signature message");
        // OpenSSL and we can read what we write.
        folder.write("again.pem", key.to_pem().unwrap().as_bytes());
        openssl(&folder, "pkey -in again.pem -noout");
        assert_eq!(read(&folder, "again.pem").unwrap().public_key_der().unwrap(), key.public_key_der().unwrap());
    }
}

#[test]
fn keys_that_cannot_sign_here_are_rejected_with_the_reason() {
    let folder = Folder::new();
    let Some(()) = openssl(&folder, "genrsa -out short.pem 2048") else { return };
    assert!(matches!(read(&folder, "short.pem"), Err(KeyError::Short(2048))));
    openssl(&folder, "genpkey -algorithm ED25519 -out other.pem");
    assert!(matches!(read(&folder, "other.pem"), Err(KeyError::Kind)));
    openssl(&folder, "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -aes256 -pass pass:x -out encrypted.pem");
    assert!(matches!(read(&folder, "encrypted.pem"), Err(KeyError::Encrypted)));
    openssl(&folder, "rsa -in short.pem -traditional -aes256 -passout pass:x -out old.pem");
    assert!(matches!(read(&folder, "old.pem"), Err(KeyError::Encrypted)));
    openssl(&folder, "pkey -in other.pem -pubout -out public.pem");
    assert!(matches!(read(&folder, "public.pem"), Err(KeyError::Label(_))));
    assert!(matches!(PrivateKey::from_pem("nonsense"), Err(KeyError::Pem(_))));
}
