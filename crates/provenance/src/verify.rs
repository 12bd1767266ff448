//! Checks the content credentials of a file: signatures, references by hash, and the content.

mod history;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sealwright_seal::pki::TrustAnchor;

use crate::{
    assertions::{self, IngredientAssertion, base_label},
    binding::{self, Content},
    cbor,
    claim::{Claim, HashedUri},
    container::Container,
    hash::HashAlgorithm,
    jumbf::{Store, StoreBytes},
    model::{Credentials, Integrity, ManifestRelation, Metadata, Problem, Signer},
    signature::{self, SignatureOutcome},
    text::one_line,
};

const MAX_PROBLEMS: usize = 16;
/// Manifests whose signature is checked: each costs at most a few milliseconds.
const MAX_MANIFESTS: usize = 64;
/// References that are checked, in all manifests.
const MAX_REFERENCES: usize = 2_048;
/// How far update manifests and parents are followed.
const MAX_GENERATIONS: usize = 16;

/// How much a problem matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    /// It is reported only.
    Note,
    Unknown,
    Stripped,
    Broken,
}

#[derive(Clone, Debug)]
struct Found {
    weight: Weight,
    code: &'static str,
    text: String,
}

fn found(weight: Weight, code: &'static str, text: impl Into<String>) -> Found {
    Found { weight, code, text: text.into() }
}

/// What was found out about one manifest.
#[derive(Clone, Debug, Default)]
struct ManifestCheck {
    problems: Vec<Found>,
    signer: Option<Signer>,
}

impl ManifestCheck {
    fn holds(&self) -> bool {
        self.problems.iter().all(|problem| problem.weight == Weight::Note)
    }
}

struct Checker<'a> {
    file: &'a [u8],
    container: Container,
    bytes: &'a StoreBytes,
    store: Store<'a>,
    anchors: &'a [TrustAnchor],
    /// In order, so that bounds always leave out the same.
    claims: BTreeMap<usize, Option<Claim<'a>>>,
    /// Boxes may be referred to many times, but are hashed once.
    digests: HashMap<(usize, HashAlgorithm), Vec<u8>>,
    checks: BTreeMap<usize, ManifestCheck>,
    references_left: usize,
    /// The boxes that claims declare as removed.
    redacted: BTreeSet<usize>,
    /// The same, for boxes that are not there.
    redacted_urls: BTreeSet<String>,
}

/// The credentials in `store`, checked against `file`.
pub(crate) fn credentials(
    file: &[u8],
    container: Container,
    bytes: &StoreBytes,
    metadata: Metadata,
    anchors: &[TrustAnchor],
) -> Credentials {
    let unreadable = |text: &str| Credentials {
        problems: vec![Problem { code: "general.error".to_owned(), text: text.to_owned() }],
        ..Credentials::default()
    };
    let Some(store) = Store::read(&bytes.bytes) else { return unreadable("The manifest store cannot be read.") };
    let manifests = store.manifests();
    let Some(&active) = manifests.last() else { return unreadable("The manifest store has no manifest.") };
    if manifests.len() > MAX_MANIFESTS {
        return unreadable("The manifest store has too many manifests.");
    }
    let claims: BTreeMap<_, _> =
        manifests.iter().map(|manifest| (*manifest, Claim::of_manifest(&store, *manifest))).collect();
    let mut checker = Checker {
        file,
        container,
        bytes,
        store,
        anchors,
        claims,
        digests: HashMap::new(),
        checks: BTreeMap::new(),
        references_left: MAX_REFERENCES,
        redacted: BTreeSet::new(),
        redacted_urls: BTreeSet::new(),
    };
    checker.note_redactions();
    checker.run(active, metadata)
}

impl Checker<'_> {
    fn note_redactions(&mut self) {
        let all = self
            .claims
            .iter()
            .flat_map(|(manifest, claim)| claim.iter().flat_map(|claim| &claim.redacted).map(|url| (*manifest, url)));
        for (manifest, url) in all.take(MAX_REFERENCES) {
            self.redacted_urls.insert(url.clone());
            self.redacted.extend(self.store.resolve(url, manifest));
        }
    }

    fn run(mut self, active: usize, metadata: Metadata) -> Credentials {
        let own = self.manifest(active);
        let mut problems = own.problems.clone();
        let mut credentials = Credentials {
            signer: own.signer,
            redactions: u32::try_from(self.redacted_urls.len()).unwrap_or(u32::MAX),
            ..Credentials::default()
        };
        if let Some(Some(claim)) = self.claims.get(&active) {
            credentials.generator.clone_from(&claim.generator);
            credentials.claim_version = claim.version;
        }
        match self.content(active) {
            Some(Content::Same { unhashed }) => credentials.unhashed_bytes = unhashed,
            Some(content) => problems.push(mismatch(content, metadata)),
            None => problems.push(found(
                Weight::Broken,
                "claim.hardBindings.missing",
                "The credentials do not refer to the content of a file.",
            )),
        }
        self.history(active, ManifestRelation::Active, 0, &mut BTreeSet::new(), &mut credentials, &mut problems);
        problems.sort_by_key(|problem| std::cmp::Reverse(problem.weight));
        credentials.integrity = match problems.first().map(|problem| problem.weight) {
            Some(Weight::Broken) => Integrity::Broken,
            Some(Weight::Stripped) => Integrity::Stripped,
            Some(Weight::Unknown) => Integrity::Unknown,
            Some(Weight::Note) | None => Integrity::Intact,
        };
        let problem = |problem: Found| Problem { code: problem.code.to_owned(), text: problem.text };
        credentials.problems = problems.into_iter().take(MAX_PROBLEMS).map(problem).collect();
        credentials
    }

    /// Signature and references of one manifest.
    fn manifest(&mut self, manifest: usize) -> ManifestCheck {
        if let Some(check) = self.checks.get(&manifest) {
            return check.clone();
        }
        let check = self.check_manifest(manifest);
        self.checks.insert(manifest, check.clone());
        check
    }

    fn check_manifest(&mut self, manifest: usize) -> ManifestCheck {
        let mut check = ManifestCheck::default();
        let Some(Some(claim)) = self.claims.get(&manifest).cloned() else {
            check.problems.push(found(Weight::Broken, "claim.missing", "A claim is missing or cannot be read."));
            return check;
        };
        let signature = self.store.child(manifest, "c2pa.signature");
        let signature = signature.and_then(|index| self.store.boxes[index].content(*b"cbor"));
        match signature.map(|signature| signature::check(signature, claim.bytes, self.anchors)) {
            None => {
                check.problems.push(found(Weight::Broken, "claimSignature.missing", "The signature is missing."));
            }
            Some(checked) => {
                match checked.outcome {
                    SignatureOutcome::Valid => {}
                    SignatureOutcome::Mismatch => check.problems.push(found(
                        Weight::Broken,
                        "claimSignature.mismatch",
                        "The signature does not match the claim.",
                    )),
                    SignatureOutcome::Unsupported(reason) => check.problems.push(found(
                        Weight::Unknown,
                        "algorithm.unsupported",
                        format!("The signature was not checked: {reason}."),
                    )),
                }
                if let Some(problem) = checked.time_stamp_problem {
                    let text = format!("The time stamp does not count: {problem}.");
                    check.problems.push(found(Weight::Note, "timeStamp.mismatch", text));
                }
                check.signer = checked.signer;
            }
        }
        self.check_references(manifest, &claim, &mut check.problems);
        check
    }

    /// Each assertion has the hash that the claim states, and each assertion in the store is in the claim.
    fn check_references(&mut self, manifest: usize, claim: &Claim, problems: &mut Vec<Found>) {
        let mut declared = BTreeSet::new();
        for reference in &claim.assertions {
            let label = one_line(reference.url.rsplit('/').next().unwrap_or_default()).unwrap_or_default();
            let Some(left) = self.references_left.checked_sub(1) else {
                problems.push(found(Weight::Unknown, "general.error", "There are too many assertions."));
                return;
            };
            self.references_left = left;
            let Some(index) = self.store.resolve(&reference.url, manifest) else {
                if !self.is_redacted_url(&reference.url) {
                    let text = format!("The assertion {label} is missing.");
                    problems.push(found(Weight::Broken, "assertion.missing", text));
                }
                continue;
            };
            declared.insert(index);
            if self.redacted.contains(&index) {
                continue;
            }
            match self.matches(index, reference, &claim.algorithm) {
                Some(true) => {}
                Some(false) if self.is_prerelease(index, reference, &claim.algorithm) => {
                    let text = "The credentials are in a form from before C2PA 1.0.";
                    problems.push(found(Weight::Unknown, "general.error", text));
                    return;
                }
                Some(false) => {
                    let text = format!("The assertion {label} was changed after signing.");
                    problems.push(found(Weight::Broken, "assertion.hashedURI.mismatch", text));
                }
                None => problems.push(found(
                    Weight::Unknown,
                    "algorithm.unsupported",
                    format!("The assertion {label} uses an unknown hash."),
                )),
            }
        }
        for (index, assertion) in assertions::of_manifest(&self.store, manifest) {
            if !declared.contains(&index) {
                let label = one_line(&assertion.label).unwrap_or_default();
                let text = format!("The assertion {label} was added after signing.");
                problems.push(found(Weight::Broken, "assertion.undeclared", text));
                break;
            }
        }
    }

    /// A redaction may name the assertion in full, and the claim relative to itself.
    fn is_redacted_url(&self, url: &str) -> bool {
        let end = url.rsplit('/').next().unwrap_or(url);
        self.redacted_urls.iter().any(|redacted| redacted.rsplit('/').next() == Some(end))
    }

    /// Whether a box has the hash of a reference; `None` for an unknown hash.
    fn matches(&mut self, index: usize, reference: &HashedUri, usual: &str) -> Option<bool> {
        let algorithm = HashAlgorithm::of_name(reference.algorithm.as_deref().unwrap_or(usual))?;
        let hashed = self.store.boxes[index].hashed;
        let digest = self.digests.entry((index, algorithm)).or_insert_with(|| algorithm.digest([hashed]));
        Some(*digest == reference.hash)
    }

    /// Whether a reference has the hash of the content without its box, as programs wrote it before the standard.
    fn is_prerelease(&self, index: usize, reference: &HashedUri, usual: &str) -> bool {
        let algorithm = HashAlgorithm::of_name(reference.algorithm.as_deref().unwrap_or(usual));
        let contents = &self.store.boxes[index].contents;
        algorithm.zip(contents.last()).is_some_and(|(hash, (_, content))| hash.digest([*content]) == reference.hash)
    }

    /// How the content compares, by the binding of the manifest; an update manifest has none, its parent does.
    fn content(&self, active: usize) -> Option<Content> {
        let mut manifest = active;
        for _ in 0..MAX_GENERATIONS {
            let usual = self.claims.get(&manifest)?.as_ref().map(|claim| claim.algorithm.clone())?;
            for (_, assertion) in assertions::of_manifest(&self.store, manifest) {
                let value = || assertion.content(*b"cbor").and_then(cbor::read);
                let content = match base_label(&assertion.label) {
                    "c2pa.hash.data" => value()
                        .map(|value| binding::by_ranges(&value, &usual, self.file, self.bytes, manifest != active)),
                    "c2pa.hash.boxes" => {
                        value().map(|value| binding::by_boxes(&value, &usual, self.file, self.container, self.bytes))
                    }
                    "c2pa.hash.bmff" | "c2pa.hash.bmff.v2" | "c2pa.hash.bmff.v3" | "c2pa.hash.collection.data" => {
                        Some(Content::Unsupported)
                    }
                    _ => continue,
                };
                return Some(content.unwrap_or(Content::Unsupported));
            }
            if &self.store.boxes[manifest].kind != b"c2um" {
                return None;
            }
            manifest = self.ingredients(manifest).into_iter().find_map(|(_, ingredient)| {
                let is_parent = ingredient.relation() == ManifestRelation::Parent;
                self.store.manifest_of(&ingredient.manifest.filter(|_| is_parent)?.url)
            })?;
        }
        None
    }

    fn ingredients(&self, manifest: usize) -> Vec<(usize, IngredientAssertion)> {
        let all = assertions::of_manifest(&self.store, manifest).into_iter();
        let ingredients = all.filter(|(_, found)| base_label(&found.label).starts_with("c2pa.ingredient"));
        let read = |(index, found): (usize, &crate::jumbf::Superbox)| {
            Some((index, IngredientAssertion::read(&found.content(*b"cbor").and_then(cbor::read)?)))
        };
        ingredients.filter(|(_, found)| !found.label.contains("thumbnail")).filter_map(read).collect()
    }
}

/// Why the content is not the signed one.
fn mismatch(content: Content, metadata: Metadata) -> Found {
    let code = "assertion.dataHash.mismatch";
    let stripped = |text| found(Weight::Stripped, code, text);
    match (content, metadata) {
        (Content::OnlyMetadataChanged, _) => {
            let text = "The picture is the signed one, but its metadata was changed or removed.";
            found(Weight::Stripped, "assertion.boxesHash.mismatch", text)
        }
        (Content::Changed | Content::Moved, Metadata::Erased) => stripped(
            "The file was changed after signing. Its position was erased, as telephones do before they share a photo.",
        ),
        (Content::Moved, Metadata::Absent) => {
            stripped("The file was changed after signing. Metadata in front of the credentials was removed.")
        }
        (Content::Unsupported | Content::Same { .. }, _) => {
            found(Weight::Unknown, "algorithm.unsupported", "The comparison with the content is not supported.")
        }
        (Content::Changed | Content::Moved, _) => {
            found(Weight::Broken, code, "The content of the file was changed after signing.")
        }
    }
}
