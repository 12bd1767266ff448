//! `sealwright verify` where others have a part in the proof: RSA-PSS, answers of OCSP in the file, disclosures of some
//! items, and a signer who lies. What others make is made by OpenSSL.

use std::{
    fs,
    path::{Path, PathBuf},
};

use sealwright_seal::{
    Certificate, UnixTime,
    disclosure::{Disclosure, disclose},
    manifest::SealManifest,
    pades::{SignatureText, SignedPdf, ValidationMaterial, prepare_signature, prepare_time_stamp},
    pki::{Identity, PrivateKey, Purpose},
    tsp::TimeStampAuthority,
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};
use tokio_util::task::AbortOnDropHandle;

use crate::support::{
    Api, TestServer,
    company_manifest::{FRAME, PHOTOGRAPHY, TEXT_FIELD, acme_on},
    evidence::{add_capture, add_entry, close, open_case, photo},
    judges::must,
    on_both_databases, pdf,
    server::said,
};

on_both_databases!(
    a_chain_and_a_signature_by_rsa_pss_are_verified,
    what_an_ocsp_answer_in_the_file_says_counts_if_its_issuer_said_it_in_time,
    decisions_14_lists_of_an_operator_s_authority_are_carried_and_their_absence_is_said,
    a_disclosure_shows_items_of_its_own_certificate_unchanged,
    a_signer_whose_pages_and_manifest_differ_is_caught,
);

/// A closed case with a photo and an entry: its certificate.
async fn certificate(api: &Api, entry: &str) -> Vec<u8> {
    let case = open_case(api, &json!({ "frameId": FRAME, "title": "Water damage" })).await;
    add_capture(api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
    add_entry(api, case, TEXT_FIELD, entry).await.expect(201);
    let url = close(api, case).await.expect(200).json()["pdfUrl"].as_str().unwrap().to_owned();
    api.with_token(None).get(&url).await.expect(200).body.to_vec()
}

/// Checks a file in the server's folder as JSON, and requires the exit code.
#[track_caller]
fn checked(server: &TestServer, name: &str, pdf: &[u8], more: &[&str], code: i32) -> Value {
    fs::write(server.folder().join(name), pdf).unwrap();
    let output = server.run(&[&["verify", name, "--json"], more].concat());
    assert_eq!(output.status.code(), Some(code), "{name}: {}", said(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[track_caller]
fn assert_told(report: &Value, told: &str) {
    let findings = report["findings"].as_array().unwrap();
    let is_told = findings.iter().any(|finding| finding["message"].as_str().unwrap().contains(told));
    assert!(is_told, "{told}: {findings:?}");
}

const CONFIGURATION: &str = "[req]\ndistinguished_name=dn\nprompt=no\n[dn]\nCN=Acme root\n\
    [root]\nbasicConstraints=critical,CA:true\nkeyUsage=critical,keyCertSign,cRLSign\nsubjectKeyIdentifier=hash\n\
    [leaf]\nbasicConstraints=critical,CA:false\nkeyUsage=critical,digitalSignature,nonRepudiation\n\
    extendedKeyUsage=emailProtection\nsubjectKeyIdentifier=hash\n";
const PSS: &str = "-sha256 -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:32";
/// The signing certificate's serial number.
const SERIAL: &str = "1234";

/// A root and a signing certificate by RSA-PSS, as an operator has them of a real authority: `root.pem`, `seal.key`, and
/// `chain.pem`. `None`, said loudly, where OpenSSL is missing.
fn make_chain(folder: &Path) -> Option<()> {
    make_chain_with(folder, CONFIGURATION)
}

/// The same; the configuration's section `leaf` is that of the signing certificate.
fn make_chain_with(folder: &Path, configuration: &str) -> Option<()> {
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

fn make_root(folder: &Path, name: &str) -> Option<String> {
    let make = "req -x509 -newkey rsa:3072 -nodes -days 900 -config ca.cnf -extensions root";
    must("openssl", &format!("{make} -keyout {name}.key -out {name}.pem {PSS}"), folder)
}

/// Seals what a server has rendered once more.
struct Sealer {
    identity: Identity,
    stamps: TimeStampAuthority,
    now: UnixTime,
}

impl Sealer {
    /// With the key and chain of these files; the server's development authority stamps.
    fn new(server: &TestServer, key: &Path, chain: &Path) -> Self {
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

    /// As the server itself signs.
    fn of_server(server: &TestServer) -> Self {
        let folder = server.data_dir().join("development-authority");
        Self::new(server, &folder.join("seal.key"), &folder.join("seal-chain.pem"))
    }

    fn signed(&self, base: &[u8]) -> SignedPdf {
        let text = SignatureText { name: "Acme", reason: "Sealed", time: self.now };
        prepare_signature(base, &text).unwrap().sign(&self.identity).unwrap()
    }

    /// Signed and stamped at a time.
    fn sealed(&self, base: &[u8], at: UnixTime) -> Vec<u8> {
        let signed = self.signed(base);
        let token = self.stamps.stamp(&signed.digest_to_stamp(), [7; 16], at).unwrap();
        signed.finish(Some(&token)).unwrap()
    }

    fn archived(&self, pdf: &[u8], ocsp_responses: Vec<Vec<u8>>, at: UnixTime) -> Vec<u8> {
        let certificates = self.identity.chain().to_vec();
        let material = ValidationMaterial { certificates, revocation_lists: Vec::new(), ocsp_responses };
        let prepared = prepare_time_stamp(pdf, Some(&material), None).unwrap();
        let token = self.stamps.stamp(&prepared.digest(), [8; 16], at).unwrap();
        prepared.finish(&token).unwrap()
    }
}

#[expect(clippy::disallowed_methods, reason = "the program under test looks at this clock too")]
fn machine_time() -> UnixTime {
    let since_epoch = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    UnixTime::from_millis(i64::try_from(since_epoch.as_millis()).unwrap()).unwrap()
}

fn after(time: UnixTime, seconds: i64) -> UnixTime {
    UnixTime::from_millis(time.as_millis() + 1000 * seconds).unwrap()
}

/// What the server rendered, before anybody signed it.
fn base_of(certificate: &[u8]) -> &[u8] {
    &certificate[..position(certificate, b"%%EOF", 0) + 5]
}

fn position(bytes: &[u8], wanted: &[u8], from: usize) -> usize {
    from + bytes[from..].windows(wanted.len()).position(|window| window == wanted).unwrap()
}

fn last_position(bytes: &[u8], wanted: &[u8]) -> usize {
    bytes.windows(wanted.len()).rposition(|window| window == wanted).unwrap()
}

async fn a_chain_and_a_signature_by_rsa_pss_are_verified(mut server: TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let Some(()) = make_chain(folder.path()) else { return };
    let path = |name: &str| folder.path().join(name).display().to_string();
    server.set("SEALWRIGHT_SEAL_KEY", &path("seal.key"));
    server.set("SEALWRIGHT_SEAL_CERTIFICATE_CHAIN", &path("chain.pem"));
    server.restart().await;
    let (api, _receiver) = acme_on(&server).await;
    let pdf = certificate(&api, "Martinel").await;
    // The chain is by RSA-PSS; the server's own signature is of the older kind.
    let report = checked(&server, "chain.pdf", &pdf, &[], 0);
    assert_eq!((&report["outcome"], &report["signature"]["state"]), (&json!("valid"), &json!("trusted")), "{report}");
    assert_eq!(report["trust"][0]["source"], "settings");

    // And a signature by RSA-PSS, made by OpenSSL in the place of the server's.
    let sealer = Sealer::new(&server, &folder.path().join("seal.key"), &folder.path().join("chain.pem"));
    let mut pdf = sealer.signed(base_of(&pdf)).finish(None).unwrap();
    let hole = last_position(&pdf, b"/Contents <") + b"/Contents ".len();
    let end = position(&pdf, b">", hole) + 1;
    fs::write(folder.path().join("signed"), [&pdf[..hole], &pdf[end..]].concat()).unwrap();
    let sign =
        "cms -sign -binary -in signed -signer seal.pem -inkey seal.key -certfile root.pem -outform DER -out cms.der";
    let options = "-cades -nosmimecap -md sha256 -keyopt rsa_padding_mode:pss -keyopt rsa_pss_saltlen:32";
    must("openssl", &format!("{sign} {options}"), folder.path());
    let signature = hex::encode_upper(fs::read(folder.path().join("cms.der")).unwrap());
    pdf[hole + 1..end - 1].fill(b'0');
    pdf[hole + 1..][..signature.len()].copy_from_slice(signature.as_bytes());
    let report = checked(&server, "pss.pdf", &pdf, &[], 0);
    assert_eq!(report["signature"]["state"], "trusted", "{report}");
    assert!(report["signature"]["algorithm"].as_str().unwrap().starts_with("RSA-PSS"), "{report}");
    // One digit of the signature's value, which stands at the end.
    let digit = &mut pdf[hole + signature.len() - 8];
    *digit = if *digit == b'0' { b'1' } else { b'0' };
    assert_told(&checked(&server, "pss.pdf", &pdf, &[], 1), "the signature does not hold");
}

/// Lines of an index of OpenSSL, up to the serial number.
const GOOD: &str = "V\t351231235959Z\t";
const REVOKED: &str = "R\t351231235959Z\t200101000000Z";

async fn what_an_ocsp_answer_in_the_file_says_counts_if_its_issuer_said_it_in_time(server: TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let Some(()) = make_chain(folder) else { return };
    // Another authority of the same name.
    make_root(folder, "other");
    must("openssl", "ocsp -issuer root.pem -cert seal.pem -no_nonce -reqout request.der", folder);
    let answer = |status: &str, responder: &str, validity: &str| {
        fs::write(folder.join("index.txt"), format!("{status}\t{SERIAL}\tunknown\t/CN=Acme\n")).unwrap();
        let signer = format!("-CA root.pem -rsigner {responder}.pem -rkey {responder}.key");
        let make = format!("ocsp -index index.txt {signer} -reqin request.der -respout answer.der {validity}");
        must("openssl", &make, folder);
        fs::read(folder.join("answer.der")).unwrap()
    };
    let root = folder.join("root.pem").display().to_string();
    let sealer = Sealer::new(&server, &folder.join("seal.key"), &folder.join("chain.pem"));
    let (api, _receiver) = acme_on(&server).await;
    let rendered = certificate(&api, "Martinel").await;

    let none = sealer.sealed(base_of(&rendered), sealer.now);
    // Within what clocks may differ by, and after an answer of a minute has ended.
    let later = after(sealer.now, 180);
    for (what, answers, at, code, status) in [
        ("none", vec![], sealer.now, 0, "unknown"),
        ("good", vec![answer(GOOD, "root", "-ndays 7")], after(sealer.now, 20), 0, "notRevoked"),
        ("revoked", vec![answer(REVOKED, "root", "-ndays 7")], sealer.now, 2, "revoked"),
        ("stale", vec![answer(GOOD, "root", "-nmin 1")], later, 0, "unknown"),
        ("wrong issuer", vec![answer(GOOD, "other", "-ndays 7")], sealer.now, 0, "unknown"),
        ("revoked, says another", vec![answer(REVOKED, "other", "-ndays 7")], sealer.now, 0, "unknown"),
        ("no answer at all", vec![b"\x30\x03\x0A\x01\x06".to_vec()], sealer.now, 0, "unknown"),
    ] {
        let stamped = if at == sealer.now { none.clone() } else { sealer.sealed(base_of(&rendered), at) };
        let pdf = sealer.archived(&stamped, answers, at);
        let report = checked(&server, "ocsp.pdf", &pdf, &["--trust", &root], code);
        assert_eq!(report["signature"]["revocation"]["status"], status, "{what}: {report}");
        if status == "unknown" {
            assert_told(&report, "the file does not say whether a certificate of the signer");
        }
        if status == "revoked" {
            assert_eq!(report["signature"]["revocation"]["since"], "2020-01-01T00:00:00.000Z", "{report}");
            assert_told(&report, "was revoked at 2020-01-01");
        }
    }
}

/// Answers every request with the bytes of a file, or, where there is none, with an error.
async fn publish(file: PathBuf) -> (u16, AbortOnDropHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let listening = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = Vec::new();
            while !request.ends_with(b"\r\n\r\n") && stream.read_buf(&mut request).await.unwrap_or(0) > 0 {}
            let (status, body) = fs::read(&file).map_or((500, Vec::new()), |list| (200, list));
            let head = format!("HTTP/1.1 {status} -\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
            let _ = stream.write_all(&[head.as_bytes(), &body].concat()).await;
        }
    });
    (port, AbortOnDropHandle::new(listening))
}

async fn decisions_14_lists_of_an_operator_s_authority_are_carried_and_their_absence_is_said(mut server: TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (port, _publishing) = publish(folder.join("root.crl")).await;
    let authority = "[ca]\ndefault_ca=authority\n[authority]\ndatabase=revoked.txt\ncrlnumber=number\n\
                     default_md=sha256\ndefault_crl_days=30\n";
    let points = format!("crlDistributionPoints=URI:http://127.0.0.1:{port}/root.crl\n");
    let Some(()) = make_chain_with(folder, &format!("{CONFIGURATION}{points}{authority}")) else { return };
    fs::write(folder.join("revoked.txt"), "").unwrap();
    fs::write(folder.join("number"), "01\n").unwrap();
    must("openssl", "ca -gencrl -config ca.cnf -cert root.pem -keyfile root.key -out list.pem", folder);
    must("openssl", "crl -in list.pem -outform DER -out list.der", folder);
    for (name, file) in [("KEY", "seal.key"), ("CERTIFICATE_CHAIN", "chain.pem")] {
        server.set(&format!("SEALWRIGHT_SEAL_{name}"), &folder.join(file).display().to_string());
    }
    server.restart().await;
    let (api, _receiver) = acme_on(&server).await;

    // The authority's address fails: the case is sealed all the same, and nobody says that it is archived for good.
    let report = checked(&server, "without.pdf", &certificate(&api, "Martinel").await, &[], 0);
    assert_eq!((&report["level"], &report["signature"]["revocation"]["status"]), (&json!("B-T"), &json!("unknown")));
    assert_told(&report, "the file does not say whether a certificate of the signer");

    // A new process has not heard of that.
    fs::copy(folder.join("list.der"), folder.join("root.crl")).unwrap();
    server.restart().await;
    let pdf = certificate(&api, "Martinel").await;
    let report = checked(&server, "with.pdf", &pdf, &[], 0);
    assert_eq!(
        (&report["level"], &report["signature"]["revocation"]["status"]),
        (&json!("B-LTA"), &json!("notRevoked"))
    );
    fs::write(folder.join("certificate.pdf"), &pdf).unwrap();
    fs::copy(server.data_dir().join("development-authority/root.pem"), folder.join("time.pem")).unwrap();
    let judge = "sign adesverify --trust root.pem --trust time.pem certificate.pdf";
    if let Some(verdict) = must("pyhanko", judge, folder) {
        assert!(verdict.contains("INTACT:TRUSTED") && verdict.contains("EXTENDED_WITH_LTA_UPDATES"), "{verdict}");
    }
    // It is remembered: the next one has it when the address is gone.
    fs::remove_file(folder.join("root.crl")).unwrap();
    let report = checked(&server, "remembered.pdf", &certificate(&api, "Martinel").await, &[], 0);
    assert_eq!(report["level"], "B-LTA", "{report}");
}

type Change = fn(&mut Value);
const CHANGES: [(&str, Change, &str); 5] = [
    (
        "another value",
        |part| part["items"][0]["item"]["createdAt"] = json!("2020-01-01T00:00:00.000Z"),
        "item 0 is not",
    ),
    ("another place", |part| part["items"][0]["index"] = json!(1), "item 1 is not"),
    ("another root", |part| part["commitments"]["root"] = json!("0".repeat(64)), "its root is not the one expected"),
    ("another proof", |part| part["items"][0]["proof"][0] = json!("0".repeat(64)), "item 0 is not"),
    ("another format", |part| part["format"] = json!("something"), "not a disclosure of format"),
];

async fn a_disclosure_shows_items_of_its_own_certificate_unchanged(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let certificates = [certificate(&api, "Martinel").await, certificate(&api, "Another").await];
    let mut manifests = Vec::new();
    for certificate in &certificates {
        let Some(content) = pdf::read(certificate) else { return };
        manifests.push(content.json_attachments[0].clone());
    }
    let disclosed = |manifest: &Value, items: &[usize]| disclose(manifest.to_string().as_bytes(), items).unwrap();
    let hold = |disclosure: &Value, code: i32| {
        fs::write(server.folder().join("part.json"), disclosure.to_string()).unwrap();
        checked(&server, "certificate.pdf", &certificates[0], &["--disclosure", "part.json"], code)
    };
    let json_of = |disclosure: &Disclosure| serde_json::to_value(disclosure).unwrap();

    let photo = json_of(&disclosed(&manifests[0], &[0]));
    let report = hold(&photo, 0);
    assert_eq!(
        report["disclosures"][0],
        json!({ "name": "part.json", "items": [manifests[0]["items"][0]["reference"]] })
    );
    // For people.
    let output = server.run(&["verify", "certificate.pdf", "--disclosure", "part.json"]);
    let text = said(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("The disclosure part.json shows items of this certificate: ITM-"), "{text}");

    let report = hold(&json_of(&disclosed(&manifests[1], &[0])), 1);
    assert_told(&report, "`part.json` discloses no items of this certificate: its root is not the one expected");
    assert_eq!(report["disclosures"], json!([]));
    for (what, change, told) in CHANGES {
        let mut changed = photo.clone();
        change(&mut changed);
        let report = hold(&changed, 1);
        assert_told(&report, told);
        assert_eq!(report["disclosures"], json!([]), "{what}");
    }
    // The entry had to be erased: the photo is proven by a hash in the entry's place, and nothing of it is left.
    let erased = photo.to_string();
    assert!(!erased.contains("Martinel") && !erased.contains(manifests[0]["items"][1]["salt"].as_str().unwrap()));
    assert_eq!(photo["items"][0]["proof"].as_array().unwrap().len(), 1);
    let mut emptied = json_of(&disclosed(&manifests[0], &[0, 1]));
    emptied["items"][1]["item"] = json!({});
    assert_told(&hold(&emptied, 1), "item 1 is not");
}

/// The certificate as it was rendered, with another manifest. Nobody's signature covers it yet.
fn with_manifest(base: &[u8], manifest: &[u8]) -> Vec<u8> {
    let kind = position(base, b"application#2Fjson", 0);
    let begin = base[..kind].windows(5).rposition(|window| window == b" obj\n").unwrap() + 5;
    let end = position(base, b"endobj", kind);
    let head = format!("<</Type/EmbeddedFile/Subtype/application#2Fjson/Length {}>>\nstream\n", manifest.len());
    let object = [head.as_bytes(), manifest, b"\nendstream\n"].concat();
    let moved = |offset: usize| if offset > begin { offset + object.len() - (end - begin) } else { offset };
    // The table of what stands where: ten digits, five, a letter.
    let table = last_position(base, b"\nxref\n") + 1;
    let tail = String::from_utf8(base[table..].to_vec()).unwrap();
    let lines = tail.split_inclusive('\n').map(|line| match line.split_once(' ') {
        Some((offset, rest)) if offset.len() == 10 => format!("{:010} {rest}", moved(offset.parse().unwrap())),
        _ => line.to_owned(),
    });
    let tail =
        lines.collect::<String>().replace(&format!("startxref\n{table}"), &format!("startxref\n{}", moved(table)));
    let mut changed = [&base[..begin], &object, &base[end..table], tail.as_bytes()].concat();
    // The token over the manifest is another's now: it gets a name by which nobody looks for it.
    while let Some(at) = changed.windows(17).position(|window| window == b"seal-manifest.tst") {
        changed[at + 16] = b'x';
    }
    changed
}

type Lie = fn(&mut SealManifest);
const LIES: [(Lie, &str); 3] = [
    (|manifest| manifest.reference = "CAS-999_CMP-7".into(), "the pages do not show CAS-999_CMP-7"),
    (|manifest| manifest.items[1].reference = "ITM-999_CAS-1".into(), "the pages do not show ITM-999_CAS-1"),
    (|manifest| manifest.items[1].value = Some("Dupont".to_owned()), "which the seal manifest has"),
];

async fn a_signer_whose_pages_and_manifest_differ_is_caught(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let genuine = certificate(&api, "Martinel").await;
    let Some(content) = pdf::read(&genuine) else { return };
    let manifest = SealManifest::from_json(content.json_attachments[0].to_string().as_bytes()).unwrap();
    let sealer = Sealer::of_server(&server);
    let again = |change: fn(&mut SealManifest)| {
        let mut manifest = manifest.clone();
        change(&mut manifest);
        let salts = vec![[5; 32]; manifest.items.len()];
        manifest.commit(&salts).unwrap();
        sealer.sealed(&with_manifest(base_of(&genuine), &manifest.to_canonical_json().unwrap()), sealer.now)
    };
    let report = checked(&server, "again.pdf", &again(|_| {}), &[], 0);
    assert_eq!(report["pages"], json!({ "state": "agree", "otherDigests": [], "unshown": [] }), "{report}");
    for (lie, told) in LIES {
        let report = checked(&server, "lie.pdf", &again(lie), &[], 1);
        // Every byte is the signer's, and still it is not believed.
        assert_eq!((&report["signature"]["state"], &report["pages"]["state"]), (&json!("trusted"), &json!("differ")));
        assert_told(&report, told);
    }
    let output = server.run(&["verify", "lie.pdf"]);
    assert!(said(&output).contains("This certificate contradicts itself."), "{}", said(&output));
    // What a template may leave out is told.
    let report = checked(&server, "title.pdf", &again(|manifest| manifest.case.title = "Fire".into()), &[], 0);
    assert_eq!(report["pages"]["unshown"], json!(["title"]), "{report}");
}
