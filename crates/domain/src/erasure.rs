//! What is asked of an erasure: items of a sealed case, and why (decisions 19).

use schemars::{JsonSchema, json_schema};
use sealwright_seal::manifest::ErasureGround;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString};

use super::{
    body::{Body, Fields, Kind, request_bodies},
    disclosure::ITEMS,
    id::ItemId,
};

/// Why items are erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Display, EnumString)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
pub enum Ground {
    /// A person whom the item concerns asked for it.
    Request,
    /// A law or a court requires it.
    LegalDuty,
    /// The item should not have been added to the case.
    Mistake,
}

sealwright_base::text_column!(Ground, "ground of an erasure");

impl Ground {
    /// What [`FromStr`](std::str::FromStr) accepts.
    pub const EXPECTED: &str = "request, legalDuty or mistake";

    /// As a seal manifest says it.
    pub const fn sealed(self) -> ErasureGround {
        match self {
            Self::Request => ErasureGround::Request,
            Self::LegalDuty => ErasureGround::LegalDuty,
            Self::Mistake => ErasureGround::Mistake,
        }
    }
}

/// The body of a request for an erasure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErasureRequest {
    pub items: Vec<ItemId>,
    pub ground: Ground,
}

impl Body for ErasureRequest {
    const NAME: &'static str = "ErasureRequest";
    const DESCRIPTION: &'static str = "The items to erase, and why.";

    fn walk<F: Fields>(fields: &mut F) -> Option<Self> {
        const GROUND: Kind<Ground> = Kind::value(
            |value| value.as_str().and_then(|text| text.parse().ok()).ok_or_else(|| Ground::EXPECTED.to_owned()),
            |_| json_schema!({ "type": "string", "enum": ["request", "legalDuty", "mistake"] }),
        );
        let items = fields.required("items", ITEMS, "Items of the case, each once.");
        let ground = fields.required("ground", GROUND, "Shown in the certificate.");
        Some(Self { items: items?, ground: ground? })
    }
}

request_bodies!(ErasureRequest);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_erasure_has_one_of_three_grounds() {
        let items = vec![ItemId::new(7).unwrap()];
        let read = ErasureRequest::read(&json!({ "items": [7], "ground": "legalDuty" }));
        assert_eq!(read, Ok(ErasureRequest { items, ground: Ground::LegalDuty }));
        let problems = ErasureRequest::read(&json!({ "items": [7, 7], "ground": "because" })).unwrap_err().join(", ");
        assert!(problems.contains("items[1] names item 7 again"), "{problems}");
        assert!(problems.contains("ground must be request, legalDuty or mistake"), "{problems}");
    }
}
