//! Sealing a rendered certificate: its hash, the signature and the signature's time stamp, with a key and an authority
//! in this process, compared with pyHanko. And disclosing one of its items.

use std::{fs, path::Path, time::Instant};

use anyhow::ensure;
use sealwright::certificate::{Attachment, CertificateRenderer, Template};
use sealwright_seal::{
    SealManifest, Sha256Digest, UnixTime,
    disclosure::signed::Statement,
    manifest::Item,
    pades::{SignatureText, prepare_signature},
    pki::{DevelopmentAuthority, Identity, RandomBytes, TrustAnchor},
    tsp::{Request, TimeStampAuthority},
    verify::{self, Expectations, Outcome},
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    ROUNDS,
    certificate::{NOW, PHOTOS, SEAL_MANIFEST, data, draw_photos, marked, scale_photos},
    children,
    load::milliseconds,
    peers,
    report::{Figure, Goal, Samples, Unit},
};

pub(crate) fn measure() -> anyhow::Result<Vec<Figure>> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    draw_photos(folder.path())?;
    scale_photos(folder.path())?;
    let photos = (0..PHOTOS).map(|number| fs::read(folder.path().join(format!("{number}.scaled"))));
    let photos = photos.map(|photo| Ok(marked(&photo?, 0))).collect::<anyhow::Result<_>>()?;
    let renderer = CertificateRenderer::new(Template::built_in())?;
    fs::write(
        folder.path().join("unsigned.pdf"),
        renderer.render(&data(0, PHOTOS)?, photos, &[Attachment::seal_manifest(committed_manifest()?)], NOW)?.pdf,
    )?;
    let ours: Times = serde_json::from_value(children::answer(&["seal", &folder.path().to_string_lossy()])?)?;
    let measured = Samples::of(Unit::Milliseconds, ours.seal);
    let disclosed = Figure {
        what: "one of the 12 items disclosed, signed and stamped".to_owned(),
        measured: Samples::of(Unit::Milliseconds, ours.disclose),
        against: None,
        goal: Some(Goal::AtMost(50.0)),
    };
    let theirs = peers::times("pyhanko", folder.path())?;
    let sealed = Figure {
        what: "certificate with 12 photos hashed, signed and stamped".to_owned(),
        measured,
        against: theirs.map(|theirs| ("pyHanko, warm", theirs)),
        goal: Some(Goal::AtMost(0.1)),
    };
    Ok(vec![sealed, disclosed])
}

/// In milliseconds.
#[derive(Serialize, Deserialize)]
struct Times {
    seal: Vec<f64>,
    disclose: Vec<f64>,
}

/// A manifest with an item for each photo, which can be disclosed.
fn committed_manifest() -> anyhow::Result<Vec<u8>> {
    let mut manifest = SealManifest::from_json(SEAL_MANIFEST)?;
    let item = |number: usize| {
        let sha256 = Sha256Digest::of(number.to_string());
        serde_json::from_value::<Item>(json!({
            "reference": format!("ITM-{number}_CAS-1"),
            "stepId": 1,
            "action": "PHOTOGRAPHY",
            "createdAt": "2026-11-20T10:00:00.000Z",
            "file": { "sha256": sha256, "size": 1, "mediaType": "image/jpeg" },
        }))
    };
    manifest.items = (0..PHOTOS).map(item).collect::<Result<_, _>>()?;
    manifest.commit(&[[9; 32]; PHOTOS])?;
    Ok(manifest.to_canonical_json()?)
}

/// The child that seals `unsigned.pdf` repeatedly.
pub(crate) fn seal(folder: &Path) -> anyhow::Result<()> {
    let pdf = fs::read(folder.join("unsigned.pdf"))?;
    let sealer = Sealer::new()?;
    let mut times = Times { seal: Vec::new(), disclose: Vec::new() };
    for round in 0..=ROUNDS {
        let start = Instant::now();
        let sealed = sealer.seal(&pdf)?;
        let disclosing = Instant::now();
        sealer.disclose(&sealed)?;
        // The first one warms up.
        if round > 0 {
            times.seal.push(milliseconds(disclosing - start));
            times.disclose.push(milliseconds(disclosing.elapsed()));
        }
    }
    sealer.check(&sealer.seal(&pdf)?)?;
    Ok(serde_json::to_writer(std::io::stdout(), &times)?)
}

/// A key that signs and an authority that stamps.
pub(crate) struct Sealer {
    identity: Identity,
    authority: TimeStampAuthority,
    root: TrustAnchor,
    now: UnixTime,
}

impl Sealer {
    pub(crate) fn new() -> anyhow::Result<Self> {
        let now = UnixTime::from_millis(NOW.as_millis())?;
        let random = RandomBytes { keys: [[1; 32], [2; 32], [3; 32]], serial_numbers: [[4; 16], [5; 16], [6; 16]] };
        let authority = DevelopmentAuthority::new("Bench Insurance", &random, now)?;
        let root = TrustAnchor { certificate: authority.root.clone(), development: true };
        let (identity, stamping) = authority.into_identities()?;
        Ok(Self { identity, authority: TimeStampAuthority::new(stamping, Some(1000)), root, now })
    }

    /// Seals at level B-T and computes the hash that is stored with the case.
    pub(crate) fn seal(&self, pdf: &[u8]) -> anyhow::Result<Vec<u8>> {
        let text = SignatureText { name: "Bench Insurance", reason: "Sealed", time: self.now };
        let signed = prepare_signature(pdf, &text)?.sign(&self.identity)?;
        let request = Request::new(signed.digest_to_stamp(), [7; 8]);
        let answer = self.authority.respond(&request.to_der(), [8; 16], self.now)?;
        let sealed = signed.finish(Some(&request.accept(&answer)?))?;
        std::hint::black_box(Sha256Digest::of(&sealed));
        Ok(sealed)
    }

    /// Discloses one item of a sealed certificate.
    fn disclose(&self, sealed: &[u8]) -> anyhow::Result<Vec<u8>> {
        let signed = Statement::of_certificate(sealed, &["ITM-3_CAS-1".to_owned()], self.now)?.sign(&self.identity)?;
        let request = Request::new(signed.digest_to_stamp(), [7; 8]);
        let answer = self.authority.respond(&request.to_der(), [8; 16], self.now)?;
        Ok(signed.finish(Some(&request.accept(&answer)?))?)
    }

    /// Fails if the seal is not valid or does not prove its time.
    pub(crate) fn check(&self, sealed: &[u8]) -> anyhow::Result<()> {
        let anchors = std::slice::from_ref(&self.root);
        let report = verify::certificate(sealed, &Expectations::trusting(anchors, self.now, &[]));
        ensure!(report.proven_time == Some(self.now), "no time is proven: {:?}", report.findings);
        ensure!(report.outcome == Outcome::Valid, "not valid: {:?}", report.findings);
        Ok(())
    }
}
