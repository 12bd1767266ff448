//! Writes the seed inputs of the targets to `corpus/`: a complete file of each format. Worthwhile inputs that the
//! fuzzer finds are added by hand.

// Everything here is compiled with coverage counters, which call functions of this library.
use libfuzzer_sys as _;
use std::{error::Error, fs, path::Path};

use sealwright_provenance::{
    Container,
    maker::{Binding, Content, TestSigner, sign_jpeg, sign_png},
};
use sealwright_seal::{
    Sha256Digest, UnixTime,
    pades::{SignatureText, ValidationMaterial, prepare_signature, prepare_time_stamp},
    pki::{DevelopmentAuthority, RandomBytes, revocation_list, status_request},
    tlog::note::NoteSigner,
    tsp::{Request, TimeStampAuthority},
};

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

fn main() -> Outcome {
    let now = UnixTime::from_millis(1_795_168_800_573)?;
    let random = RandomBytes { keys: [[1; 32], [2; 32], [3; 32]], serial_numbers: [[1; 16], [2; 16], [3; 16]] };
    let authority = DevelopmentAuthority::new("Corpus", &random, now)?;
    let root = authority.root.clone();
    write("der/root.der", root.der())?;
    write("der/seal.der", authority.signing.der())?;
    write("der/chain.pem", (root.to_pem() + &authority.signing.to_pem()).as_bytes())?;
    write("der/request.der", &status_request(&authority.signing, &root))?;
    write("der/revoked.der", &revocation_list(&root, &authority.root_key, 1, now, now.plus_days(30), &[])?)?;

    let (signing, stamping) = authority.into_identities()?;
    let chain = signing.chain().to_vec();
    let stamps = TimeStampAuthority::new(stamping, Some(1000));
    let digest = Sha256Digest::of("a file");
    write("time_stamp/token.der", stamps.stamp(&digest, [4; 16], now)?.der())?;
    let request = Request::new(digest, [7; 8]);
    write("time_stamp/request.der", &request.to_der())?;
    write("time_stamp/response.der", &stamps.respond(&request.to_der(), [5; 16], now)?)?;

    let base = pdf();
    write("facts/page.pdf", &base)?;
    let text = SignatureText { name: "Corpus", reason: "Sealed", time: now };
    let signed = prepare_signature(&base, &text)?.sign(&signing)?;
    let token = stamps.stamp(&signed.digest_to_stamp(), [6; 16], now)?;
    let sealed = signed.finish(Some(&token))?;
    write("certificate/sealed.pdf", &sealed)?;
    write("facts/signed.pdf", &sealed)?;
    let material = ValidationMaterial { certificates: chain, revocation_lists: Vec::new(), ocsp_responses: Vec::new() };
    let prepared = prepare_time_stamp(&sealed, Some(&material), None)?;
    let token = stamps.stamp(&prepared.digest(), [8; 16], now)?;
    write("certificate/archived.pdf", &prepared.finish(&token)?)?;

    let signer = TestSigner::new("Corpus");
    let content = Content::new("Corpus", "c2pa.created", Some("digitalCapture"));
    let jpeg = sign_jpeg(b"\xFF\xD8\xFF\xDA\0\x02data\xFF\xD9", &content, &signer, Binding::Ranges);
    write("provenance/ranges.jpg", &jpeg)?;
    let parent = Container::Jpeg.store(&jpeg).map(|store| store.bytes);
    let content = Content { parent, version: 1, redacted: vec!["c2pa.actions.v2"], ..content };
    let png = b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0crc!\0\0\0\0IEND\xAE\x42\x60\x82";
    let png = sign_png(png, &content, &signer, Binding::Boxes);
    write("provenance/boxes.png", &png)?;
    write("provenance/store", &Container::Png.store(&png).ok_or("no store")?.bytes)?;
    write("provenance/graph.json", br#"{"3": {"class_type": "KSampler", "inputs": {"seed": 1}}}"#)?;

    let log = NoteSigner::new("example.org/log", &[9; 32])?;
    let head = format!("example.org/log\n1\n{}\n", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
    let checkpoint = log.sign(&head)?;
    write("log/checkpoint", checkpoint.as_bytes())?;
    let key = log.verifier();
    write("log/proof", format!("{key}\nc2sp.org/tlog-proof@v1\nindex 0\n\n{checkpoint}").as_bytes())?;
    write("log/tile", b"\0\x02{}\0\x07[1,2,3]")?;
    Ok(())
}

fn write(name: &str, bytes: &[u8]) -> Outcome {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    fs::create_dir_all(path.parent().ok_or("a name without a folder")?)?;
    fs::write(path, bytes)?;
    Ok(())
}

/// A page in the form that Typst writes: a classic cross-reference table, no newline after `%%EOF`.
fn pdf() -> Vec<u8> {
    let text = "BT /F1 24 Tf 72 720 Td (CAS-1_CMP-7 2026-11-20) Tj ET";
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{text}\nendstream", text.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    let mut pdf = "%PDF-1.7\n%\u{e9}\n".to_owned();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (place, object) in objects.iter().enumerate() {
        table += &format!("{:010} 00000 n \n", pdf.len());
        pdf += &format!("{} 0 obj\n{object}\nendobj\n\n", place + 1);
    }
    let at = pdf.len();
    let id = "<00112233445566778899AABBCCDDEEFF>";
    pdf += &format!("{table}trailer\n<< /Size {} /Root 1 0 R /ID [{id} {id}] >>\n", objects.len() + 1);
    pdf += &format!("startxref\n{at}\n%%EOF");
    pdf.into_bytes()
}
