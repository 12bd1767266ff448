//! `PAdES` at every level, judged by pyHanko, pdfsig and qpdf. These use the machine's clock, so everything here
//! happens now.

use sealwright_seal::{
    pades::{SignatureText, ValidationMaterial, prepare_signature, prepare_time_stamp},
    pki::{Identity, Issue, PrivateKey, Purpose, Usage, issue, revocation_list},
};

use crate::{
    base_pdf::base_pdf,
    support::{Folder, Verdict, authority_at, judge, machine_time, random, sealing_of},
};

/// The files of each level, created as the server creates them.
struct Levels {
    folder: Folder,
}

impl Levels {
    fn new() -> Self {
        let folder = Folder::new();
        let now = machine_time();
        let authority = authority_at("Example", now);
        let list = |number| {
            revocation_list(&authority.root, &authority.root_key, number, now, now.plus_days(30), &[]).unwrap()
        };
        let material = ValidationMaterial {
            certificates: vec![authority.signing.clone(), authority.time_stamping.clone(), authority.root.clone()],
            revocation_lists: vec![list(1)],
            ocsp_responses: Vec::new(),
        };
        let renewed = ValidationMaterial { revocation_lists: vec![list(2)], ..ValidationMaterial::default() };
        folder.write("root.pem", authority.root.to_pem());
        let seal = sealing_of(authority);

        let base = base_pdf(&[("seal-manifest.json", b"{}")]);
        let text = SignatureText { name: "Example Org", reason: "Sealed", time: now };
        let signed = || prepare_signature(&base, &text).unwrap().sign(&seal.identity).unwrap();
        let stamp = |pdf: &[u8], material: Option<&ValidationMaterial>, proof: Option<&[u8]>| {
            let prepared = prepare_time_stamp(pdf, material, proof).unwrap();
            let token = seal.stamps.stamp(&prepared.digest(), random("stamp"), now).unwrap();
            prepared.finish(&token).unwrap()
        };
        let b_b = signed().finish(None).unwrap();
        let token = seal.stamps.stamp(&signed().digest_to_stamp(), random("signature"), now).unwrap();
        let b_t = signed().finish(Some(&token)).unwrap();
        folder.write("upgraded-to-t.pdf", stamp(&b_b, None, None));
        folder.write("upgraded-to-lta.pdf", stamp(&b_b, Some(&material), Some(b"a place in a log")));
        let b_lta = stamp(&b_t, Some(&material), None);
        folder.write("renewed.pdf", stamp(&b_lta, Some(&renewed), None));
        folder.write("b-lta.pdf", b_lta);
        folder.write("b-t.pdf", b_t);
        folder.write("b-b.pdf", b_b);
        folder.write("base.pdf", base);
        Self { folder }
    }

    fn judge(&self, program: &str, arguments: &[&str]) -> Option<Verdict> {
        judge(program, arguments, &self.folder)
    }
}

const ALL: [&str; 6] = ["b-b.pdf", "b-t.pdf", "b-lta.pdf", "upgraded-to-t.pdf", "upgraded-to-lta.pdf", "renewed.pdf"];

#[test]
fn qpdf_accepts_every_level() {
    let levels = Levels::new();
    for name in ALL {
        let Some(verdict) = levels.judge("qpdf", &["--check", name]) else { return };
        assert!(verdict.success && !verdict.text.contains("WARNING"), "{name}: {verdict:?}");
    }
}

#[test]
fn pdfsig_finds_every_signature_valid_and_the_whole_file_signed() {
    let levels = Levels::new();
    for name in ALL {
        let Some(verdict) = levels.judge("pdfsig", &["-nocert", name]) else { return };
        assert!(verdict.text.contains("Signature Validation: Signature is Valid."), "{name}: {verdict:?}");
        assert!(verdict.text.contains("Signature Type: ETSI.CAdES.detached"), "{name}: {verdict:?}");
        // It does not support document time stamps, but reports which bytes they cover.
        assert!(verdict.text.trim_end().contains("Total document signed"), "{name}: {verdict:?}");
        assert!(!verdict.text.contains("invalid") && !verdict.text.contains("Invalid"), "{name}: {verdict:?}");
    }
}

#[test]
fn pyhanko_finds_every_level_valid() {
    let levels = Levels::new();
    for name in ALL {
        let arguments = ["sign", "validate", "--trust", "root.pem", "--pretty-print", name];
        let Some(verdict) = levels.judge("pyhanko", &arguments) else { return };
        assert!(verdict.success, "{name}: {verdict:?}");
        assert!(verdict.text.contains("The signature is judged VALID"), "{name}: {verdict:?}");
        assert!(!verdict.text.contains("INVALID"), "{name}: {verdict:?}");
    }
}

#[test]
fn pyhanko_validates_the_archive_level_without_a_network() {
    let levels = Levels::new();
    for name in ["b-lta.pdf", "upgraded-to-lta.pdf", "renewed.pdf"] {
        let arguments = ["sign", "adesverify", "--trust", "root.pem", name];
        let Some(verdict) = levels.judge("pyhanko", &arguments) else { return };
        assert!(verdict.success, "{name}: {verdict:?}");
        assert!(verdict.text.contains("INTACT:TRUSTED"), "{name}: {verdict:?}");
        assert!(verdict.text.contains("EXTENDED_WITH_LTA_UPDATES,ACCEPTABLE_MODIFICATIONS"), "{name}: {verdict:?}");
    }
}

/// Keys from OpenSSL, read from their PEM files.
#[test]
fn signatures_by_keys_of_other_kinds_are_valid_too() {
    for (name, key) in [("rsa", "genrsa -out rsa.pem 3072"), ("p384", "ecparam -genkey -name secp384r1 -out p384.pem")]
    {
        let folder = Folder::new();
        let Some(made) = judge("openssl", &key.split(' ').collect::<Vec<_>>(), &folder) else { return };
        assert!(made.success, "{made:?}");
        let pem = String::from_utf8(folder.read(&format!("{name}.pem"))).unwrap();
        folder.write("signed.pdf", signed_by(PrivateKey::from_pem(&pem).unwrap(), &folder));
        let Some(verdict) = judge("pdfsig", &["-nocert", "signed.pdf"], &folder) else { return };
        assert!(verdict.text.contains("Signature is Valid."), "{name}: {verdict:?}");
        let arguments = ["sign", "validate", "--trust", "root.pem", "--pretty-print", "signed.pdf"];
        let Some(verdict) = judge("pyhanko", &arguments, &folder) else { return };
        assert!(verdict.success && verdict.text.contains("judged VALID"), "{name}: {verdict:?}");
    }
}

/// A file signed by this key, whose certificate chains to `root.pem`.
fn signed_by(key: PrivateKey, folder: &Folder) -> Vec<u8> {
    let now = machine_time();
    let authority = authority_at("Example", now);
    folder.write("root.pem", authority.root.to_pem());
    let request = Issue {
        usage: Usage::DocumentSigning,
        common_name: "A key of another kind",
        organization: "Example",
        public_key: &key.public_key_der().unwrap(),
        serial_number: random("other"),
        not_before: authority.root.not_before(),
        not_after: now.plus_days(1),
    };
    let certificate = issue(&request, Some(&authority.root), &authority.root_key).unwrap();
    let identity =
        Identity::new(Box::new(key), vec![certificate, authority.root.clone()], Purpose::DocumentSigning).unwrap();
    let text = SignatureText { name: "Example Org", reason: "Sealed", time: now };
    prepare_signature(&base_pdf(&[]), &text).unwrap().sign(&identity).unwrap().finish(None).unwrap()
}
