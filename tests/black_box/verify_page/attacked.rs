//! The known attacks on signed PDF files, disclosures, erasures and packages: the page in a browser answers for each of them what the command answers.

use std::{fs, process::Command};

use sealwright_seal::{
    Sha256Digest, UnixTime,
    manifest::SealManifest,
    pades::{SignatureText, ValidationMaterial, prepare_signature, prepare_time_stamp},
    pki::{DevelopmentAuthority, Identity, RandomBytes, revocation_list},
    tsp::{TimeStampAuthority, Token},
};
use serde_json::{Value, json};

use super::{ROOT, forged, packaged, page_address, without_time};
use crate::{
    attacks::{Attack, DORMANT, Victim, corpus},
    base_pdf::{base_pdf, base_pdf_with},
    support::{
        Database, TestServer,
        browser::{Browser, Engine},
        proofs::{after, machine_time},
        server::said,
    },
};

/// A day, in seconds.
const DAY: i64 = 86_400;
/// How many files the browser checks in one call, which has 30 seconds.
const AT_ONCE: usize = 12;

/// Adds a field for all files: [`CHECK`] takes them from it.
const ADD_FIELD: &str = "
    const all = document.createElement('input');
    Object.assign(all, { type: 'file', multiple: true, id: 'all' });
    document.body.append(all);";

/// Gives files to the page, one after the other, and returns its answers.
const CHECK: &str = "
    const [from, to, done] = arguments;
    const field = document.querySelector('#certificate');
    const result = document.querySelector('#result');
    const answered = () => new Promise((resolve) => {
        const observer = new MutationObserver(() => {
            if (result.dataset.state === 'working') return;
            observer.disconnect();
            resolve();
        });
        observer.observe(result, { attributes: true, attributeFilter: ['data-state'] });
    });
    const check = async (file) => {
        const chosen = new DataTransfer();
        chosen.items.add(file);
        field.files = chosen.files;
        const answer = answered();
        field.dispatchEvent(new Event('change'));
        await answer;
        return document.querySelector('#facts')?.textContent ?? result.textContent;
    };
    const checkAll = async () => {
        const answers = [];
        for (const file of [...document.querySelector('#all').files].slice(from, to)) answers.push(await check(file));
        return answers;
    };
    checkAll().then(done, (error) => done([String(error)]));";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_answers_like_the_command_for_every_known_attack() {
    if !Engine::Chromium.is_there() {
        return;
    }
    let server = TestServer::start(Database::Sqlite).await;
    let seal = Sealing::of("Example");
    let mut files = files(&seal);
    files.extend(forged::files(&server).await);
    files.extend(packaged::files(&server).await);
    assert!(files.len() >= 200, "{} files", files.len());
    let name = |number: usize| format!("{number}.file");
    for (number, GivenFile { bytes, .. }) in files.iter().enumerate() {
        fs::write(server.folder().join(name(number)), bytes).unwrap();
    }
    fs::write(server.folder().join("example.pem"), &seal.root).unwrap();
    fs::write(server.folder().join("verify.html"), server.run(&["verify", "--page"]).stdout).unwrap();

    let trust = ["--json", "--data-dir", "elsewhere", "--trust", "example.pem", "--trust", ROOT];
    let of_file = |number: usize| server.command(&[&["verify", &name(number)], &trust[..]].concat());
    let commands: Vec<Command> = (0..files.len()).map(of_file).collect();
    // They run while the browser works.
    let printed = tokio::task::spawn_blocking(move || {
        commands.into_iter().map(|mut command| command.output().unwrap()).collect::<Vec<_>>()
    });

    let browser = Browser::start().await;
    browser.open(&page_address(&server)).await;
    browser.click(".trust summary").await;
    browser.run(ADD_FIELD, json!([])).await;
    let path = |name: &str| server.folder().join(name).display().to_string();
    browser.enter("#roots", &["example.pem", ROOT].map(path).join("\n")).await;
    let paths: Vec<String> = (0..files.len()).map(|number| path(&name(number))).collect();
    browser.enter("#all", &paths.join("\n")).await;
    let mut shown = Vec::new();
    for from in (0..files.len()).step_by(AT_ONCE) {
        let answers = browser.run_async(CHECK, json!([from, from + AT_ONCE])).await;
        shown.extend(answers.as_array().unwrap().iter().map(|answer| answer.as_str().unwrap().to_owned()));
    }
    assert_eq!(shown.len(), files.len());

    let printed = printed.await.unwrap();
    for ((GivenFile { about, is_genuine, .. }, shown), printed) in files.iter().zip(&shown).zip(&printed) {
        let shown: Value = serde_json::from_str(shown).unwrap_or_else(|error| panic!("{about}: {error}: {shown}"));
        let command: Value = serde_json::from_slice(&printed.stdout)
            .unwrap_or_else(|error| panic!("{about}: {error}: {}", said(printed)));
        assert_eq!(against(&shown).is_empty(), *is_genuine, "{about}: {shown}");
        assert_eq!(without_time(shown), without_time(command), "{about}");
    }
}

/// A file that is given to the page and to the command.
pub(super) struct GivenFile {
    pub(super) about: String,
    pub(super) bytes: Vec<u8>,
    /// Whether a trusted signer has made it, and it was not changed.
    pub(super) is_genuine: bool,
}

/// What speaks against a file, except that its page does not show the case's reference: those of `base_pdf` do not.
fn against(facts: &Value) -> Vec<&Value> {
    let findings = facts["findings"].as_array().unwrap().iter();
    findings.filter(|finding| finding["severity"] != "notice" && finding["code"] != "pages").collect()
}

/// The certificates of the victims, and every attack on them.
fn files(seal: &Sealing) -> Vec<GivenFile> {
    let foreign = Sealing::of("Other");
    let base = seal.base("own");
    let stamped = seal.signed(&base, true);
    let archived = seal.archived(&stamped, &seal.material);
    let attached = seal.attachments("own");
    let (prepared, first) = base_pdf_with(&borrowed(&attached), &DORMANT);
    let stamp = |digest: &Sha256Digest| seal.stamp("attacker", digest);
    let victim = Victim {
        signed: seal.signed(&base, false),
        renewed: seal.archived(&archived, &ValidationMaterial::default()),
        archived,
        other: seal.signed(&seal.base("other"), true),
        foreign: foreign.signed(&foreign.base("own"), true),
        prepared: (seal.signed(&prepared, true), first),
        stamp: &stamp,
        stamped,
        base,
    };
    let mut files = Vec::new();
    for (about, bytes, is_genuine) in [
        ("signed", &victim.signed, true),
        ("stamped", &victim.stamped, true),
        ("archived", &victim.archived, true),
        ("renewed", &victim.renewed, true),
        ("of another case", &victim.other, true),
        ("prepared", &victim.prepared.0, true),
        ("of an untrusted authority", &victim.foreign, false),
    ] {
        files.push(GivenFile { about: about.to_owned(), bytes: bytes.clone(), is_genuine });
    }
    for Attack { class, variant, pdf } in corpus(&victim) {
        files.push(GivenFile { about: format!("{class}: {variant}"), bytes: pdf, is_genuine: false });
    }
    files
}

/// An authority's identities, and what an archive time stamp keeps of it.
struct Sealing {
    identity: Identity,
    stamps: TimeStampAuthority,
    material: ValidationMaterial,
    /// In PEM.
    root: String,
    now: UnixTime,
}

impl Sealing {
    /// An authority that was created the day before.
    fn of(name: &str) -> Self {
        let now = machine_time();
        let random = RandomBytes {
            keys: ["root", "seal", "time"].map(|key| random(&format!("{name} key {key}"))),
            serial_numbers: ["root", "seal", "time"].map(|key| random(&format!("{name} serial {key}"))),
        };
        let authority = DevelopmentAuthority::new(name, &random, after(now, -DAY)).unwrap();
        let until = after(now, 30 * DAY);
        let list = revocation_list(&authority.root, &authority.root_key, 1, now, until, &[]).unwrap();
        let material = ValidationMaterial {
            certificates: vec![authority.signing.clone(), authority.time_stamping.clone(), authority.root.clone()],
            revocation_lists: vec![list],
            ocsp_responses: Vec::new(),
        };
        let root = authority.root.to_pem();
        let (identity, time_stamping) = authority.into_identities().unwrap();
        Self { identity, stamps: TimeStampAuthority::new(time_stamping, Some(1000)), material, root, now }
    }

    fn stamp(&self, label: &str, digest: &Sha256Digest) -> Token {
        self.stamps.stamp(digest, random(label), self.now).unwrap()
    }

    /// The manifest of a case without items, and tokens: the manifest's, and others that an attack can exchange.
    fn attachments(&self, about: &str) -> Vec<(&'static str, Vec<u8>)> {
        let manifest = json!({
            "case": { "closedAt": "", "createdAt": "", "id": 1, "title": about },
            "company": { "id": 1, "name": "" },
            "context": { "visibleData": {} },
            "format": "sealwright-seal-manifest",
            "frame": { "id": 1, "name": "" },
            "items": [],
            "missingMandatorySteps": [],
            "reference": "CAS-1_CMP-1",
            "steps": [],
            "version": 1,
        });
        let manifest = SealManifest::from_json(manifest.to_string().as_bytes()).unwrap();
        let manifest = manifest.to_canonical_json().unwrap();
        let token = |label: &str, digest: &Sha256Digest| self.stamp(label, digest).der().to_vec();
        let of_manifest = token("manifest", &Sha256Digest::of(&manifest));
        vec![
            ("seal-manifest.json", manifest),
            ("seal-manifest.tst", of_manifest),
            ("ITM-1.tst", token("one", &Sha256Digest::of(about))),
            ("ITM-2.tst", token("two", &Sha256Digest::of("two"))),
        ]
    }

    fn base(&self, about: &str) -> Vec<u8> {
        base_pdf(&borrowed(&self.attachments(about)))
    }

    fn signed(&self, base: &[u8], stamped: bool) -> Vec<u8> {
        let text = SignatureText { name: "Example Org", reason: "Sealed", time: self.now };
        let signed = prepare_signature(base, &text).unwrap().sign(&self.identity).unwrap();
        let token = stamped.then(|| self.stamp("signature", &signed.digest_to_stamp()));
        signed.finish(token.as_ref()).unwrap()
    }

    fn archived(&self, pdf: &[u8], material: &ValidationMaterial) -> Vec<u8> {
        let prepared = prepare_time_stamp(pdf, Some(material), None).unwrap();
        let token = self.stamp("archive", &prepared.digest());
        prepared.finish(&token).unwrap()
    }
}

fn borrowed<'a>(files: &'a [(&'static str, Vec<u8>)]) -> Vec<(&'static str, &'a [u8])> {
    files.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect()
}

/// Bytes that look random and are the same in every run.
fn random<const N: usize>(label: &str) -> [u8; N] {
    Sha256Digest::of(label).as_bytes()[..N].try_into().unwrap()
}
