//! Everything that is read as DER or PEM: certificates, revocation lists, answers of responders, keys.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use sealwright_seal::{
    Certificate,
    pki::{PrivateKey, read_revocation_list, read_status_answer, status_request},
};

/// A certificate of the corpus, as the issuer of lists and answers.
static ISSUER: LazyLock<Certificate> = LazyLock::new(|| {
    Certificate::from_der(include_bytes!("../corpus/der/root.der")).expect("a certificate of the corpus")
});

fuzz_target!(|bytes: &[u8]| {
    if let Ok(certificate) = Certificate::from_der(bytes) {
        let _ = (certificate.subject(), certificate.issuer(), certificate.serial_number(), certificate.to_pem());
        let _ = (certificate.not_before(), certificate.not_after(), certificate.is_self_issued());
        let _ = (certificate.revocation_list_urls(), certificate.status_responder_urls());
        let _ = (certificate.is_issued_by(&ISSUER), status_request(&certificate, &ISSUER));
    }
    let _ = read_revocation_list(bytes, &ISSUER);
    let _ = read_status_answer(bytes, &ISSUER, &ISSUER);
    let _ = PrivateKey::from_pkcs8_der(bytes);
    if let Ok(text) = str::from_utf8(bytes) {
        let _ = (Certificate::from_pem_chain(text), PrivateKey::from_pem(text));
    }
});
