//! Renders, signs, reads and compares: every theme with every sample, foreign templates, and a signer who lies.

use std::{fs, panic};

use sealwright_facts::pages;
use sealwright_seal::{
    Sha256Digest, UnixTime,
    manifest::{self, FORMAT, SealManifest, VERSION_1},
    pades::{SignatureText, prepare_signature},
    pki::{DevelopmentAuthority, Identity, RandomBytes, TrustAnchor},
    verify::{self, Expectations, FindingCode, Outcome, PagesState},
};

use super::*;
use crate::{
    certificate::{
        Attachment, CertificateData, CertificateRenderer, Sample, Template, Theme,
        data::{Item, ItemContent, ItemTimeStamp},
    },
    clock::Timestamp,
};

const NOW: Timestamp = Timestamp::from_millis(1_795_168_800_000);

/// Signs all certificates.
struct Signer {
    identity: Identity,
    anchor: TrustAnchor,
    now: UnixTime,
}

impl Signer {
    fn new() -> Self {
        let random = RandomBytes { keys: [[1; 32], [2; 32], [3; 32]], serial_numbers: [[4; 16], [5; 16], [6; 16]] };
        let now = UnixTime::from_millis(NOW.as_millis()).unwrap();
        let authority = DevelopmentAuthority::new("Example", &random, now).unwrap();
        let anchor = TrustAnchor { certificate: authority.root.clone(), development: false };
        Self { identity: authority.into_identities().unwrap().0, anchor, now }
    }

    /// The report on a certificate whose pages are made from `data`, and whose manifest is `manifest`.
    fn report(&self, renderer: &CertificateRenderer, sample: &Sample, manifest: &SealManifest) -> Report {
        let attachments = [Attachment::seal_manifest(manifest.to_canonical_json().unwrap())];
        let rendered = renderer.render(&sample.data, sample.photos.clone(), &attachments, NOW).unwrap();
        let text = SignatureText { name: "Example", reason: "Sealed", time: self.now };
        let signed = prepare_signature(&rendered.pdf, &text).unwrap().sign(&self.identity).unwrap();
        let pdf = signed.finish(None).unwrap();
        let anchors = [self.anchor.clone()];
        let mut report = verify::certificate(&pdf, &Expectations::trusting(&anchors, self.now, &[]));
        assert_eq!(report.outcome, Outcome::Valid, "{:?}", report.findings);
        let texts = panic::catch_unwind(|| pages::page_texts(pdf.clone(), &pages::LIMITS)).unwrap();
        compare_texts(&pdf, texts, &mut report);
        report
    }
}

/// The sample, with the digests that the server would compute.
fn sample(mut sample: Sample, signer: &Signer) -> Sample {
    sample.data.seal.signer.certificate_sha256 = signer.identity.certificate().fingerprint();
    // The manifest of these tests has no capture records.
    sample.data.captures = None;
    for step in &mut sample.data.steps {
        let takes_files = ["PHOTOGRAPHY", "VIDEO", "SIGNATURE", "DOCUMENT_UPLOAD"].contains(&step.action.as_str());
        for item in &mut step.items {
            if let (ItemContent::Entry { value }, true) = (&item.content, takes_files) {
                item.content = ItemContent::NoFile { declared_name: value.clone() };
            }
            item.sha256 = match &item.content {
                ItemContent::Entry { value } => Some(Sha256Digest::of(value)),
                ItemContent::NoFile { .. } => None,
                _ => item.sha256.or(Some(Sha256Digest::of(&item.reference))),
            };
        }
    }
    sample
}

fn complete(signer: &Signer) -> Sample {
    let complete = Sample::built_in().into_iter().find(|sample| sample.name == Sample::COMPLETE);
    sample(complete.unwrap(), signer)
}

fn items_of(data: &mut CertificateData) -> impl Iterator<Item = &mut Item> {
    data.steps.iter_mut().flat_map(|step| &mut step.items)
}

/// The manifest of what `data` shows.
fn manifest_of(data: &CertificateData) -> SealManifest {
    let time = |moment: &crate::certificate::data::Moment| moment.0.to_string();
    let mut items = Vec::new();
    for step in &data.steps {
        for item in &step.items {
            let (value, file) = match &item.content {
                ItemContent::Entry { value } => (Some(value.clone()), None),
                ItemContent::NoFile { declared_name } => (Some(declared_name.clone()), None),
                ItemContent::Picture { file, .. }
                | ItemContent::Video { file }
                | ItemContent::Document { file, .. } => (None, Some(file)),
            };
            let file = file.map(|file| manifest::File {
                sha256: item.sha256.unwrap(),
                size: file.size,
                media_type: file.media_type.clone(),
                name: file.name.clone(),
            });
            items.push(manifest::Item {
                reference: item.reference.clone(),
                step_id: step.id,
                action: step.action.clone(),
                created_at: time(&item.created),
                value,
                file,
                position: None,
                device: None,
                client: None,
                capture_id: None,
                time_stamp_token: None,
                salt: None,
            });
        }
    }
    SealManifest {
        format: FORMAT.to_owned(),
        version: VERSION_1,
        reference: data.reference.clone(),
        case: manifest::Case {
            id: 1,
            title: data.title.clone(),
            created_at: time(&data.created),
            closed_at: time(&data.closed),
            report_token: data.report_token.clone(),
        },
        company: manifest::Named { id: data.company.id, name: data.company.name.clone() },
        frame: manifest::Named { id: data.frame.id, name: data.frame.name.clone() },
        steps: data
            .steps
            .iter()
            .map(|step| manifest::Step {
                id: step.id,
                title: step.title.clone(),
                description: step.description.clone(),
                action: step.action.clone(),
                mandatory: step.mandatory,
            })
            .collect(),
        missing_mandatory_steps: data
            .steps
            .iter()
            .filter(|step| step.mandatory && step.items.is_empty())
            .map(|step| step.id)
            .collect(),
        context: manifest::Context::default(),
        items,
        capture_sessions: vec![],
        commitments: None,
        erasure: None,
        log: None,
    }
}

#[track_caller]
fn assert_agrees(report: &Report, what: &str) {
    let findings: Vec<_> = report.findings.iter().filter(|finding| finding.code == FindingCode::Pages).collect();
    assert_eq!(report.pages.as_ref().map(|pages| pages.state), Some(PagesState::Agree), "{what}: {findings:?}");
    assert!(findings.is_empty() && report.outcome == Outcome::Valid, "{what}: {findings:?}");
}

/// Digests of tokens are shown too; no token is attached here.
fn without_time_stamps(mut sample: Sample) -> Sample {
    for item in items_of(&mut sample.data) {
        if let Some(ItemTimeStamp::Stamped { .. }) = item.time_stamp {
            item.time_stamp = Some(ItemTimeStamp::Pending);
        }
    }
    sample
}

#[test]
fn every_theme_with_every_sample_shows_what_its_manifest_says() {
    let signer = Signer::new();
    for theme in Theme::ALL {
        let renderer = CertificateRenderer::new(theme.template()).unwrap();
        for case in Sample::built_in() {
            let case = without_time_stamps(sample(case, &signer));
            let report = signer.report(&renderer, &case, &manifest_of(&case.data));
            assert_agrees(&report, &format!("{} {}", theme.name, case.name));
        }
    }
}

#[test]
fn no_item_and_two_hundred_in_many_scripts_are_compared_alike() {
    const TEXTS: [&str; 6] =
        ["تسرب مياه CAS-12", "Νερό στο υπόγειο", "漏水した天井", "Протечка крыши", "רטיבות בקיר", "\u{202E}exe.fdp"];
    let signer = Signer::new();
    for (theme, count) in Theme::ALL.into_iter().flat_map(|theme| [(theme, 0), (theme, 200)]) {
        let mut case = complete(&signer);
        TEXTS[0].clone_into(&mut case.data.title);
        let mut step = case.data.steps.remove(0);
        let mut item = step.items.remove(0);
        item.time_stamp = None;
        step.action = "TEXT_FIELD".into();
        step.items = (0..count)
            .map(|number| {
                let mut item = item.clone();
                item.reference = format!("ITM-{}_CAS-1042", number + 1);
                let value = format!("{} {number}", TEXTS[number % TEXTS.len()]);
                item.content = ItemContent::Entry { value };
                item
            })
            .collect();
        case.data.steps = vec![step];
        case.photos = Vec::new();
        let case = sample(case, &signer);
        let renderer = CertificateRenderer::new(theme.template()).unwrap();
        let report = signer.report(&renderer, &case, &manifest_of(&case.data));
        assert_agrees(&report, &format!("{} with {count} items", theme.name));
    }
}

/// A company's own template, which shows only what it must: each item's reference, and `digest` of its digest.
fn bare(digest: &str, more: &str) -> CertificateRenderer {
    let folder = tempfile::tempdir().unwrap();
    let main = format!(
        r#"#import "/sealwright.typ": *
#set text(font: fonts("Noto Sans"))
#let digest(value) = {digest}
#data.reference #data.title #data.company.name #{more}
#for row in items [
  - #row.item.reference #if row.item.sha256 != none {{ digest(row.item.sha256) }}
]
#data.seal.statement
#for step in missing-steps [Missing: #step.title ]"#
    );
    fs::write(folder.path().join("main.typ"), main).unwrap();
    CertificateRenderer::new(Template::from_dir(folder.path()).unwrap()).unwrap()
}

#[test]
fn a_foreign_template_may_show_digests_as_it_likes() {
    let signer = Signer::new();
    let case = complete(&signer);
    let manifest = manifest_of(&case.data);
    for shown in [
        "value",
        "text(size: 5pt, value)",
        "text(fill: luma(120), value)",
        "text(fill: white, box(fill: black, value))",
        "block(width: 40mm, value.clusters().join(sym.zws))",
        "value.clusters().chunks(8).map(group => group.join()).join(\" \")",
        "box(clip: true, radius: 3mm, fill: luma(230), inset: 3mm, value)",
        "rotate(90deg, reflow: true, value)",
    ] {
        assert_agrees(&signer.report(&bare(shown, "[]"), &case, &manifest), shown);
    }
    // Another fingerprint is reported and does no harm.
    let report = signer.report(&bare("value", &format!("\"Our root: {}\"", "ab".repeat(32))), &case, &manifest);
    assert_eq!(report.outcome, Outcome::Valid);
    assert_eq!(report.pages.unwrap().other_digests, ["ab".repeat(32)]);
}

#[test]
fn digests_that_are_left_out_or_cannot_be_seen_never_agree() {
    let signer = Signer::new();
    let case = complete(&signer);
    let manifest = manifest_of(&case.data);
    for (hidden, state) in [
        ("none", PagesState::Differ),
        ("value.slice(0, 20)", PagesState::Differ),
        ("text(fill: white, value)", PagesState::NotCompared),
        ("text(fill: rgb(0, 0, 0, 10%), value)", PagesState::NotCompared),
        ("text(size: 1pt, value)", PagesState::NotCompared),
        ("place(dx: 300mm, value)", PagesState::NotCompared),
        (
            "{ value; place(dx: -20mm, dy: -10mm, rect(width: 300mm, height: 20mm, fill: white)) }",
            PagesState::NotCompared,
        ),
    ] {
        let report = signer.report(&bare(hidden, "[]"), &case, &manifest);
        assert_eq!(report.pages.unwrap().state, state, "{hidden}: {:?}", report.findings);
    }
}

type Lie = fn(&mut SealManifest);

const LIES: [(&str, Lie); 5] = [
    ("another case", |manifest| manifest.reference = "CAS-9_CMP-7".into()),
    ("another item", |manifest| manifest.items[0].reference = "ITM-9_CAS-1042".into()),
    ("an item more", |manifest| {
        let more = manifest::Item { reference: "ITM-7777_CAS-1042".to_owned(), ..manifest.items[0].clone() };
        manifest.items.push(more);
    }),
    ("an item less", |manifest| drop(manifest.items.remove(0))),
    ("another file", |manifest| {
        let file = manifest.items.iter_mut().find_map(|item| item.file.as_mut()).unwrap();
        file.sha256 = Sha256Digest::of("another");
    }),
];

#[test]
fn a_signer_whose_manifest_says_something_else_is_caught() {
    let signer = Signer::new();
    let case = without_time_stamps(complete(&signer));
    for theme in Theme::ALL {
        let renderer = CertificateRenderer::new(theme.template()).unwrap();
        for (what, change) in LIES {
            let mut manifest = manifest_of(&case.data);
            change(&mut manifest);
            let report = signer.report(&renderer, &case, &manifest);
            assert_eq!(report.outcome, Outcome::ChangedOrNotOurs, "{} {what}", theme.name);
            assert_eq!(report.pages.unwrap().state, PagesState::Differ, "{} {what}", theme.name);
        }
        let mut manifest = manifest_of(&case.data);
        manifest.case.title = "Fire".into();
        let pages = signer.report(&renderer, &case, &manifest).pages.unwrap();
        assert_eq!(pages.unshown, [verify::Unshown::Title], "{}", theme.name);
    }
    // A signer who prints both is caught too: the page shows a reference that is not in the manifest.
    let mut manifest = manifest_of(&case.data);
    manifest.reference = "CAS-9_CMP-7".into();
    let report = signer.report(&bare("value", "\"CAS-9_CMP-7\""), &case, &manifest);
    assert_eq!(report.outcome, Outcome::ChangedOrNotOurs);
}

#[test]
fn in_every_language_a_lie_is_caught_and_the_truth_agrees() {
    let signer = Signer::new();
    let renderer = CertificateRenderer::new(Template::built_in()).unwrap();
    for language in ["french", "german", "spanish"] {
        let case = Sample::built_in().into_iter().find(|sample| sample.name == language).unwrap();
        let case = without_time_stamps(sample(case, &signer));
        assert_agrees(&signer.report(&renderer, &case, &manifest_of(&case.data)), language);
        for (what, change) in LIES {
            let mut manifest = manifest_of(&case.data);
            change(&mut manifest);
            let report = signer.report(&renderer, &case, &manifest);
            assert_eq!(report.outcome, Outcome::ChangedOrNotOurs, "{language} {what}");
        }
    }
}

/// The built-in template with a number of pictures on each page.
fn with_pictures_per_page(count: usize) -> CertificateRenderer {
    const SETTING: &str = "#let pictures-per-page = ";
    let folder = tempfile::tempdir().unwrap();
    for (path, content) in Theme::named("default").unwrap().files {
        let text = String::from_utf8(content.to_vec()).unwrap();
        assert!(*path != "theme.typ" || text.contains(&format!("{SETTING}2")));
        fs::write(folder.path().join(path), text.replace(&format!("{SETTING}2"), &format!("{SETTING}{count}")))
            .unwrap();
    }
    CertificateRenderer::new(Template::from_dir(folder.path()).unwrap()).unwrap()
}

#[test]
fn every_layout_of_pictures_shows_what_the_manifest_says() {
    let signer = Signer::new();
    for count in [1, 6] {
        let renderer = with_pictures_per_page(count);
        for name in ["complete", "many-photos"] {
            let case = Sample::built_in().into_iter().find(|sample| sample.name == name).unwrap();
            let case = without_time_stamps(sample(case, &signer));
            assert_agrees(&signer.report(&renderer, &case, &manifest_of(&case.data)), &format!("{name}, {count}"));
        }
    }
}
