//! What the declarations about a file's origin amount to.

use crate::facts::{CredentialAction, CredentialIntegrity, ManifestRelation, Mark, MarkKind, Provenance};

/// Steps that change what a file shows (C2PA 2.1, section 18.14.4).
const CHANGES: [&str; 8] = [
    "c2pa.drawing",
    "c2pa.edited",
    "c2pa.filtered",
    "c2pa.placed",
    "c2pa.removed",
    "c2pa.deleted",
    "c2pa.addedText",
    "c2pa.adjustedColor",
];
/// Steps of older versions, and of programs that name their own.
const OLDER: [&str; 2] = ["c2pa.color_adjustments", "c2pa.font_edited"];

/// The first mark of a kind.
pub fn mark(provenance: &Provenance, kind: MarkKind) -> Option<&Mark> {
    provenance.marks.iter().find(|mark| mark.kind == kind)
}

/// The steps that changed what the file shows, according to its own credentials and those of the files before it.
/// Steps of placed files do not count.
pub fn changes(provenance: &Provenance) -> Vec<&CredentialAction> {
    let actions = provenance.credentials.iter().flat_map(|credentials| &credentials.actions);
    let is_change = |action: &&CredentialAction| {
        let name = action.name.as_str();
        action.relation != ManifestRelation::Component && (CHANGES.contains(&name) || OLDER.contains(&name))
    };
    actions.filter(is_change).collect()
}

/// Whether a camera signed the file as it is, and the operator trusts that camera's maker: the credentials are intact,
/// cover every byte, and name a capture and no step that changed the picture.
pub fn is_camera_original(provenance: &Provenance) -> bool {
    let Some(credentials) = &provenance.credentials else { return false };
    let is_capture = |action: &CredentialAction| {
        action.name == "c2pa.created"
            && action.relation != ManifestRelation::Component
            && matches!(action.source_type.as_deref(), Some("digitalCapture" | "computationalCapture"))
    };
    credentials.integrity == CredentialIntegrity::Intact
        && credentials.trusted
        && credentials.unhashed_bytes == 0
        && credentials.actions.iter().any(is_capture)
        && changes(provenance).is_empty()
        && [MarkKind::Generated, MarkKind::PartlyGenerated].iter().all(|kind| mark(provenance, *kind).is_none())
}

/// Who says so, for a sentence: `Midjourney (png text)`, or only the place.
pub fn speaker(mark: &Mark) -> String {
    match &mark.program {
        Some(program) => format!("{program} ({})", mark.origin),
        None => mark.origin.clone(),
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::facts::Credentials;

    fn action(name: &str, source_type: Option<&str>, relation: ManifestRelation) -> CredentialAction {
        CredentialAction { name: name.to_owned(), source_type: source_type.map(str::to_owned), agent: None, relation }
    }

    fn of_camera() -> Provenance {
        let credentials = Credentials {
            integrity: CredentialIntegrity::Intact,
            problems: Vec::new(),
            signer: Some("CN=Camera".to_owned()),
            trusted: true,
            time: None,
            generator: None,
            actions: vec![action("c2pa.created", Some("digitalCapture"), ManifestRelation::Active)],
            ingredients: Vec::new(),
            redactions: 0,
            unhashed_bytes: 0,
        };
        Provenance { credentials: Some(credentials), marks: Vec::new() }
    }

    fn changed(change: impl FnOnce(&mut Credentials)) -> Provenance {
        let mut provenance = of_camera();
        change(provenance.credentials.as_mut().expect("it is made with credentials"));
        provenance
    }

    #[test]
    fn only_an_intact_capture_by_a_trusted_signer_is_a_camera_original() {
        assert!(is_camera_original(&of_camera()));
        for not in [
            changed(|credentials| credentials.trusted = false),
            changed(|credentials| credentials.integrity = CredentialIntegrity::Stripped),
            changed(|credentials| credentials.unhashed_bytes = 1),
            changed(|credentials| credentials.actions.clear()),
            changed(|credentials| credentials.actions[0].relation = ManifestRelation::Component),
            changed(|credentials| {
                credentials.actions.push(action("c2pa.edited", None, ManifestRelation::Parent));
            }),
            Provenance { credentials: None, marks: Vec::new() },
        ] {
            assert!(!is_camera_original(&not), "{not:?}");
        }
    }

    #[test]
    fn steps_that_change_nothing_visible_and_those_of_components_are_not_changes() {
        let provenance = changed(|credentials| {
            credentials.actions.extend([
                action("c2pa.opened", None, ManifestRelation::Active),
                action("c2pa.resized", None, ManifestRelation::Active),
                action("c2pa.edited", None, ManifestRelation::Component),
                action("c2pa.filtered", None, ManifestRelation::Parent),
            ]);
        });
        let names: Vec<&str> = changes(&provenance).into_iter().map(|action| action.name.as_str()).collect();
        assert_eq!(names, ["c2pa.filtered"]);
    }
}
