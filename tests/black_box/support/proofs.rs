//! Shared by the tests of `sealwright verify`: a certificate from the server, an authority's chain like an operator's,
//! made by OpenSSL, and a sealer that seals what the server has rendered again.

use std::{fs, path::Path};

use sealwright_seal::{
    Certificate, Sha256Digest, UnixTime,
    disclosure::signed::Statement,
    pades::{SignatureText, SignedPdf, ValidationMaterial, prepare_signature, prepare_time_stamp},
    pki::{Identity, PrivateKey, Purpose},
    tsp::TimeStampAuthority,
};
use serde_json::{Value, json};

use super::{
    Api, TestServer,
    company_manifest::{FRAME, PHOTOGRAPHY, TEXT_FIELD},
    evidence::{add_capture, add_entry, close, open_case, photo},
    judges::must,
    server::said,
};

/// The certificate of a closed case with a photo and an entry.
pub(crate) async fn certificate(api: &Api, entry: &str) -> Vec<u8> {
    let case = open_case(api, &json!({ "frameId": FRAME, "title": "Water damage" })).await;
    add_capture(api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
    add_entry(api, case, TEXT_FIELD, entry).await.expect(201);
    let url = close(api, case).await.expect(200).json()["pdfUrl"].as_str().unwrap().to_owned();
    api.with_token(None).get(&url).await.expect(200).body.to_vec()
}

/// Checks a file in the server's folder as JSON, and requires the exit code.
#[track_caller]
pub(crate) fn checked(server: &TestServer, name: &str, pdf: &[u8], more: &[&str], code: i32) -> Value {
    fs::write(server.folder().join(name), pdf).unwrap();
    let output = server.run(&[&["verify", name, "--json"], more].concat());
    assert_eq!(output.status.code(), Some(code), "{name}: {}", said(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[track_caller]
pub(crate) fn assert_finding(report: &Value, expected: &str) {
    let findings = report["findings"].as_array().unwrap();
    let is_found = findings.iter().any(|finding| finding["message"].as_str().unwrap().contains(expected));
    assert!(is_found, "{expected}: {findings:?}");
}

pub(crate) const CONFIGURATION: &str = "[req]\ndistinguished_name=dn\nprompt=no\n[dn]\nCN=Acme root\n\
    [root]\nbasicConstraints=critical,CA:true\nkeyUsage=critical,keyCertSign,cRLSign\nsubjectKeyIdentifier=hash\n\
    [leaf]\nbasicConstraints=critical,CA:false\nkeyUsage=critical,digitalSignature,nonRepudiation\n\
    extendedKeyUsage=emailProtection\nsubjectKeyIdentifier=hash\n";
const PSS: &str = "-sha256 -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:32";
/// The signing certificate's serial number.
pub(crate) const SERIAL: &str = "1234";

/// A root and a signing certificate by RSA-PSS, as an operator gets them from a real authority: `root.pem`, `seal.key`,
/// and `chain.pem`. Prints a warning and returns `None` if OpenSSL is missing.
pub(crate) fn make_chain(folder: &Path) -> Option<()> {
    make_chain_with(folder, CONFIGURATION)
}

/// The same; section `leaf` of the configuration applies to the signing certificate.
pub(crate) fn make_chain_with(folder: &Path, configuration: &str) -> Option<()> {
    fs::write(folder.join("ca.cnf"), configuration).unwrap();
    make_root(folder, "root")?;
    let request = "req -new -newkey rsa:3072 -nodes -keyout seal.key -out seal.csr -subj /CN=Acme -config ca.cnf";
    must("openssl", request, folder)?;
    let issue = "x509 -req -in seal.csr -CA root.pem -CAkey root.key -extfile ca.cnf -extensions leaf -days 400";
    must("openssl", &format!("{issue} -set_serial 0x{SERIAL} -out seal.pem {PSS}"), folder)?;
    let chain = ["seal.pem", "root.pem"].map(|name| fs::read_to_string(folder.join(name)).unwrap()).concat();
    fs::write(folder.join("chain.pem"), chain).unwrap();
    Some(())
}

pub(crate) fn make_root(folder: &Path, name: &str) -> Option<String> {
    let make = "req -x509 -newkey rsa:3072 -nodes -days 900 -config ca.cnf -extensions root";
    must("openssl", &format!("{make} -keyout {name}.key -out {name}.pem {PSS}"), folder)
}

/// Seals what a server has rendered again.
pub(crate) struct Sealer {
    identity: Identity,
    stamps: TimeStampAuthority,
    pub(crate) now: UnixTime,
}

impl Sealer {
    /// With the key and chain of these files; the server's development authority stamps.
    pub(crate) fn new(server: &TestServer, key: &Path, chain: &Path) -> Self {
        let read = |key: &Path, chain: &Path, purpose| {
            let key = PrivateKey::from_pem(&fs::read_to_string(key).unwrap()).unwrap();
            let chain = Certificate::from_pem_chain(&fs::read_to_string(chain).unwrap()).unwrap();
            Identity::new(Box::new(key), chain, purpose).unwrap()
        };
        let folder = server.data_dir().join("development-authority");
        let (time_key, time_chain) = (folder.join("time-stamping.key"), folder.join("time-stamping-chain.pem"));
        Self {
            identity: read(key, chain, Purpose::DocumentSigning),
            stamps: TimeStampAuthority::new(read(&time_key, &time_chain, Purpose::TimeStamping), Some(1000)),
            now: machine_time(),
        }
    }

    /// With the server's own key.
    pub(crate) fn of_server(server: &TestServer) -> Self {
        let folder = server.data_dir().join("development-authority");
        Self::new(server, &folder.join("seal.key"), &folder.join("seal-chain.pem"))
    }

    pub(crate) fn signed(&self, base: &[u8]) -> SignedPdf {
        let text = SignatureText { name: "Acme", reason: "Sealed", time: self.now };
        prepare_signature(base, &text).unwrap().sign(&self.identity).unwrap()
    }

    /// Signed and time-stamped at `at`.
    pub(crate) fn sealed(&self, base: &[u8], at: UnixTime) -> Vec<u8> {
        let signed = self.signed(base);
        let token = self.stamps.stamp(&signed.digest_to_stamp(), [7; 16], at).unwrap();
        signed.finish(Some(&token)).unwrap()
    }

    /// A signed disclosure, with a time stamp.
    pub(crate) fn disclosed(&self, statement: &Statement) -> Vec<u8> {
        let signed = statement.sign(&self.identity).unwrap();
        let token = self.stamps.stamp(&signed.digest_to_stamp(), [9; 16], self.now).unwrap();
        signed.finish(Some(&token)).unwrap()
    }

    /// The token of the time-stamping authority over these bytes.
    pub(crate) fn token(&self, bytes: &[u8]) -> Vec<u8> {
        self.stamps.stamp(&Sha256Digest::of(bytes), [6; 16], self.now).unwrap().der().to_vec()
    }

    pub(crate) fn archived(&self, pdf: &[u8], ocsp_responses: Vec<Vec<u8>>, at: UnixTime) -> Vec<u8> {
        let certificates = self.identity.chain().to_vec();
        let material = ValidationMaterial { certificates, revocation_lists: Vec::new(), ocsp_responses };
        let prepared = prepare_time_stamp(pdf, Some(&material), None).unwrap();
        let token = self.stamps.stamp(&prepared.digest(), [8; 16], at).unwrap();
        prepared.finish(&token).unwrap()
    }
}

#[expect(clippy::disallowed_methods, reason = "the program under test reads this clock too")]
pub(crate) fn machine_time() -> UnixTime {
    let since_epoch = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    UnixTime::from_millis(i64::try_from(since_epoch.as_millis()).unwrap()).unwrap()
}

pub(crate) fn after(time: UnixTime, seconds: i64) -> UnixTime {
    UnixTime::from_millis(time.as_millis() + 1000 * seconds).unwrap()
}

/// What the server rendered, before it was signed.
pub(crate) fn base_of(certificate: &[u8]) -> &[u8] {
    &certificate[..position(certificate, b"%%EOF", 0) + 5]
}

pub(crate) fn position(bytes: &[u8], wanted: &[u8], from: usize) -> usize {
    from + bytes[from..].windows(wanted.len()).position(|window| window == wanted).unwrap()
}

pub(crate) fn last_position(bytes: &[u8], wanted: &[u8]) -> usize {
    bytes.windows(wanted.len()).rposition(|window| window == wanted).unwrap()
}
