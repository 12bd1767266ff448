//! What a file declares about its origin.

use sealwright_plugin_sdk::facts::{
    CredentialAction, CredentialIngredient, CredentialIntegrity, Credentials, ManifestRelation, Mark, MarkKind,
    Provenance,
};
use sealwright_provenance as read;

use super::parts::{cut, millis};

pub(crate) fn provenance(provenance: &read::Provenance) -> Provenance {
    let mark = |mark: &read::Mark| Mark {
        kind: kind(mark.kind),
        origin: mark.origin.clone(),
        program: mark.program.as_deref().map(cut),
        text: cut(&mark.text),
    };
    Provenance {
        credentials: provenance.credentials.as_ref().map(credentials),
        marks: provenance.marks.iter().map(mark).collect(),
    }
}

fn credentials(credentials: &read::Credentials) -> Credentials {
    let signer = credentials.signer.as_ref();
    let stamp = signer.and_then(|signer| signer.time_stamp.as_ref());
    let action = |action: &read::Action| CredentialAction {
        name: cut(&action.name),
        source_type: action.source_type.as_deref().map(cut),
        agent: action.agent.as_deref().map(cut),
        relation: match action.manifest {
            read::ManifestRelation::Active => ManifestRelation::Active,
            read::ManifestRelation::Parent => ManifestRelation::Parent,
            read::ManifestRelation::Component => ManifestRelation::Component,
        },
    };
    let ingredient = |ingredient: &read::Ingredient| CredentialIngredient {
        title: ingredient.title.as_deref().map(cut),
        relationship: cut(&ingredient.relationship),
        intact: ingredient.intact,
    };
    Credentials {
        integrity: match credentials.integrity {
            read::Integrity::Intact => CredentialIntegrity::Intact,
            read::Integrity::Stripped => CredentialIntegrity::Stripped,
            read::Integrity::Broken => CredentialIntegrity::Broken,
            read::Integrity::Unknown => CredentialIntegrity::Unknown,
        },
        problems: credentials.problems.iter().map(|problem| cut(&problem.text)).collect(),
        signer: signer.map(|signer| cut(&signer.subject)),
        trusted: signer.is_some_and(|signer| signer.trusted),
        time: stamp.and_then(|stamp| millis(&stamp.time)),
        generator: credentials.generator.as_deref().map(cut),
        actions: credentials.actions.iter().map(action).collect(),
        ingredients: credentials.ingredients.iter().map(ingredient).collect(),
        redactions: credentials.redactions,
        unhashed_bytes: credentials.unhashed_bytes,
    }
}

const fn kind(kind: read::MarkKind) -> MarkKind {
    match kind {
        read::MarkKind::Captured => MarkKind::Captured,
        read::MarkKind::Generated => MarkKind::Generated,
        read::MarkKind::PartlyGenerated => MarkKind::PartlyGenerated,
        read::MarkKind::Drawn => MarkKind::Drawn,
        read::MarkKind::Edited => MarkKind::Edited,
        read::MarkKind::Screen => MarkKind::Screen,
        read::MarkKind::Other => MarkKind::Other,
    }
}
