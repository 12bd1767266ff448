//! What a user may do: the rights of spec 5 and decisions 3, written `p_api:<resource>:<action>`.

use std::{collections::BTreeSet, fmt};

use serde::{Deserialize, Serialize};

/// The word that grants every right, those of later versions included.
pub const EVERY_RIGHT: &str = "p_api:*";

/// One permission that an endpoint asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Right {
    CaseCreate,
    CaseRead,
    CaseUpdate,
    CaseDelete,
    CaseBulkCreate,
    CaseBulkUpdate,
    CaseBulkDelete,
    ItemCreate,
    CompanyUpdate,
}

impl Right {
    pub const ALL: [Self; 9] = [
        Self::CaseCreate,
        Self::CaseRead,
        Self::CaseUpdate,
        Self::CaseDelete,
        Self::CaseBulkCreate,
        Self::CaseBulkUpdate,
        Self::CaseBulkDelete,
        Self::ItemCreate,
        Self::CompanyUpdate,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CaseCreate => "p_api:case:create",
            Self::CaseRead => "p_api:case:read",
            Self::CaseUpdate => "p_api:case:update",
            Self::CaseDelete => "p_api:case:delete",
            Self::CaseBulkCreate => "p_api:case:bulk_create",
            Self::CaseBulkUpdate => "p_api:case:bulk_update",
            Self::CaseBulkDelete => "p_api:case:bulk_delete",
            Self::ItemCreate => "p_api:item:create",
            Self::CompanyUpdate => "p_api:company:update",
        }
    }

    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|right| right.as_str() == word)
    }
}

impl fmt::Display for Right {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The rights of one user. Stored and sent as an array of words; [`Display`](fmt::Display) joins them with spaces, which
/// is the form of a token's `scope` (RFC 8693, section 4.2).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<&'static str>", try_from = "Vec<String>")]
pub struct Rights {
    every: bool,
    granted: BTreeSet<Right>,
}

impl Rights {
    /// Every right there is: `p_api:*`.
    pub fn every() -> Self {
        Self { every: true, granted: BTreeSet::new() }
    }

    /// Adds what `word` stands for: a right's name or [`EVERY_RIGHT`].
    pub fn grant(&mut self, word: &str) -> Result<(), UnknownRight> {
        if word == EVERY_RIGHT {
            self.every = true;
        } else {
            self.granted.insert(Right::parse(word).ok_or_else(|| UnknownRight(word.to_owned()))?);
        }
        Ok(())
    }

    pub fn allows(&self, right: Right) -> bool {
        self.every || self.granted.contains(&right)
    }

    /// The words these rights are written as, in a fixed order; [`EVERY_RIGHT`] stands alone.
    pub fn words(&self) -> Vec<&'static str> {
        if self.every { vec![EVERY_RIGHT] } else { self.granted.iter().map(|right| right.as_str()).collect() }
    }
}

impl FromIterator<Right> for Rights {
    fn from_iter<I: IntoIterator<Item = Right>>(rights: I) -> Self {
        Self { every: false, granted: rights.into_iter().collect() }
    }
}

impl fmt::Display for Rights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words().join(" "))
    }
}

impl From<Rights> for Vec<&'static str> {
    fn from(rights: Rights) -> Self {
        rights.words()
    }
}

impl TryFrom<Vec<String>> for Rights {
    type Error = UnknownRight;

    fn try_from(words: Vec<String>) -> Result<Self, UnknownRight> {
        let mut rights = Self::default();
        for word in words {
            rights.grant(&word)?;
        }
        Ok(rights)
    }
}

/// A word that does not name a right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a right")]
pub struct UnknownRight(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_right_is_read_back_from_its_name() {
        for right in Right::ALL {
            assert_eq!(Right::parse(right.as_str()), Some(right));
        }
        assert_eq!(Right::parse("p_api:case:CREATE"), None);
        assert_eq!(Right::parse(EVERY_RIGHT), None);
    }

    #[test]
    fn the_operator_s_guide_lists_every_right() {
        let guide = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/operator.md")).unwrap();
        let rows = guide.lines().filter_map(|line| line.strip_prefix("| `p_api:")?.split('`').next());
        let listed: BTreeSet<_> = rows.filter_map(|row| Right::parse(&format!("p_api:{row}"))).collect();
        assert_eq!(listed, Right::ALL.into_iter().collect());
    }

    #[test]
    fn a_user_may_do_what_was_granted_and_nothing_else() {
        let rights: Rights = [Right::CaseCreate].into_iter().collect();
        assert!(rights.allows(Right::CaseCreate));
        assert!(!rights.allows(Right::CaseBulkCreate));
        assert!(!Rights::default().allows(Right::CaseRead));
    }

    #[test]
    fn the_star_grants_all() {
        let mut rights = Rights::default();
        rights.grant(EVERY_RIGHT).unwrap();
        assert!(Right::ALL.into_iter().all(|right| rights.allows(right)));
    }

    #[test]
    fn rights_are_stored_as_an_array_of_words() {
        let rights: Rights = serde_json::from_str(r#"["p_api:item:create","p_api:case:read"]"#).unwrap();
        assert_eq!(serde_json::to_string(&rights).unwrap(), r#"["p_api:case:read","p_api:item:create"]"#);
        assert_eq!(rights.to_string(), "p_api:case:read p_api:item:create");
        assert_eq!(serde_json::to_string(&Rights::every()).unwrap(), r#"["p_api:*"]"#);
        assert!(serde_json::from_str::<Rights>(r#"["p_api:case:fly"]"#).is_err());
    }
}
