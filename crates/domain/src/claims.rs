//! What an OpenID Connect provider says of a user of the console: which claims give a role, and which a company.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{console::Role, id::CompanyId};

/// Which role a value of the claim gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoleMap {
    /// The value is the name of the role.
    Names,
    /// These values and no others.
    Values(BTreeMap<String, Role>),
}

impl RoleMap {
    /// Reads `claims-desk=reviewer, it=operator`. Each value has one role.
    pub fn parse(text: &str) -> Option<Self> {
        let mut roles: BTreeMap<String, Role> = BTreeMap::new();
        for pair in text.split(',') {
            let (value, role) = pair.rsplit_once('=')?;
            let (value, role) = (value.trim(), role.trim().parse().ok()?);
            if value.is_empty() || roles.insert(value.to_owned(), role).is_some() {
                return None;
            }
        }
        Some(Self::Values(roles))
    }

    /// The role that a claim gives: a text, or a list of texts such as the groups of a person. The highest counts; values
    /// that give no role do not matter.
    pub fn role(&self, claim: &Value) -> Option<Role> {
        match claim {
            Value::Array(values) => values.iter().filter_map(|value| self.role_of(value.as_str()?)).max(),
            value => self.role_of(value.as_str()?),
        }
    }

    fn role_of(&self, value: &str) -> Option<Role> {
        match self {
            Self::Names => value.parse().ok(),
            Self::Values(roles) => roles.get(value).copied(),
        }
    }
}

/// The company that a claim names: a number, also as text.
pub fn company(claim: &Value) -> Option<CompanyId> {
    match claim {
        Value::String(text) => CompanyId::parse(text),
        value => value.as_i64().and_then(CompanyId::new),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn without_a_map_the_value_is_the_name_of_a_role() {
        let roles = RoleMap::Names;
        assert_eq!(roles.role(&json!("reviewer")), Some(Role::Reviewer));
        assert_eq!(roles.role(&json!(["staff", "viewer", "manager"])), Some(Role::Manager));
        for wrong in
            [json!("Reviewer"), json!(" reviewer"), json!(""), json!([]), json!(3), json!({}), json!([["viewer"]])]
        {
            assert_eq!(roles.role(&wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_map_gives_roles_to_its_values_only() {
        let roles = RoleMap::parse("claims-desk=reviewer, it = operator,a=b=viewer").unwrap();
        assert_eq!(roles.role(&json!("claims-desk")), Some(Role::Reviewer));
        assert_eq!(roles.role(&json!(["claims-desk", "it"])), Some(Role::Operator));
        assert_eq!(roles.role(&json!("a=b")), Some(Role::Viewer));
        assert_eq!(roles.role(&json!("operator")), None);
        for wrong in ["", ",", "it", "it=", "=viewer", "it=king", "it=viewer,", "it=viewer,it=operator", "it=Viewer"] {
            assert_eq!(RoleMap::parse(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn a_company_is_a_positive_number() {
        let seven = CompanyId::new(7);
        assert_eq!((company(&json!(7)), company(&json!("7"))), (seven, seven));
        for wrong in [json!(0), json!(-7), json!(7.5), json!("x"), json!("+7"), json!(null), json!([7]), json!(1e300)] {
            assert_eq!(company(&wrong), None, "{wrong}");
        }
    }
}
