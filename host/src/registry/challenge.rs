//! What a registry wants to see (RFC 9110, section 11.6.1; Docker Registry token authentication).

/// A kind of authentication, with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Challenge {
    /// A user name and a password.
    Basic,
    /// A token that the server at `realm` gives.
    Bearer { realm: String, service: Option<String>, scope: Option<String> },
}

impl Challenge {
    /// Reads the value of a `WWW-Authenticate` header. None if it is of another kind.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (scheme, parameters) = text.split_once(' ').unwrap_or((text, ""));
        if scheme.eq_ignore_ascii_case("basic") {
            return Some(Self::Basic);
        }
        if !scheme.eq_ignore_ascii_case("bearer") {
            return None;
        }
        let parameters = read_parameters(parameters);
        let find = |wanted: &str| {
            let found = parameters.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
            found.map(|(_, value)| value.clone())
        };
        Some(Self::Bearer { realm: find("realm")?, service: find("service"), scope: find("scope") })
    }
}

/// `name="value"` or `name=value`, separated by commas, which a quoted value may contain.
fn read_parameters(text: &str) -> Vec<(String, String)> {
    let mut parameters = Vec::new();
    let mut rest = text;
    while let Some((name, after)) = rest.split_once('=') {
        let name = name.trim_matches([' ', ',']).to_owned();
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(',').unwrap_or((after, "")),
        };
        parameters.push((name, value.trim().to_owned()));
        rest = after;
    }
    parameters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bearer_challenge_names_where_tokens_are() {
        let text =
            r#"Bearer realm="https://auth.example/token",service="registry.example",scope="repository:a/b:pull,push""#;
        let expected = Challenge::Bearer {
            realm: "https://auth.example/token".to_owned(),
            service: Some("registry.example".to_owned()),
            scope: Some("repository:a/b:pull,push".to_owned()),
        };
        assert_eq!(Challenge::read(text), Some(expected));
        let bare = Challenge::Bearer { realm: "https://a.example".to_owned(), service: None, scope: None };
        assert_eq!(Challenge::read("bearer Realm=https://a.example"), Some(bare));
    }

    #[test]
    fn others_are_recognized_or_not() {
        assert_eq!(Challenge::read(r#"Basic realm="registry""#), Some(Challenge::Basic));
        for wrong in ["", "Digest realm=\"a\"", "Bearer", "Bearer service=\"a\"", "Bearer realm"] {
            assert_eq!(Challenge::read(wrong), None, "{wrong:?}");
        }
    }
}
