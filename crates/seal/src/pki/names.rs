//! Name constraints (RFC 5280, section 4.2.1.10): an authority may be restricted to some names.
//!
//! Directory names, e-mail addresses and host names are compared. A constraint on another kind of name applies to every
//! certificate that has such a name: what cannot be compared is rejected, not skipped.

use der::asn1::Ia5String;
use x509_cert::{
    attr::AttributeTypeAndValue,
    ext::pkix::{
        NameConstraints, SubjectAltName,
        name::{GeneralName, GeneralNames},
    },
    name::{Name, RelativeDistinguishedName},
};

use super::{Certificate, PathError};
use crate::asn1::oid;

/// Checks the certificates below each constrained authority. `path` starts with the leaf.
pub(super) fn check(path: &[Certificate]) -> Result<(), PathError> {
    for (position, authority) in path.iter().enumerate().skip(1) {
        let malformed = |_| PathError::Malformed { subject: authority.subject() };
        let constraints = authority.extension::<NameConstraints>(oid::NAME_CONSTRAINTS).map_err(malformed)?;
        let Some((_, constraints)) = constraints else { continue };
        for (below, certificate) in path[..position].iter().enumerate() {
            // An authority's certificate for its own next key is exempt, unless it is the leaf.
            if below > 0 && certificate.is_self_issued() {
                continue;
            }
            check_one(certificate, authority, &constraints)?;
        }
    }
    Ok(())
}

fn check_one(
    certificate: &Certificate,
    authority: &Certificate,
    constraints: &NameConstraints,
) -> Result<(), PathError> {
    let refused = |name: &GeneralName| PathError::OutsideConstraints {
        subject: certificate.subject(),
        authority: authority.subject(),
        name: describe(name),
    };
    for name in names(certificate)? {
        for subtree in constraints.excluded_subtrees.iter().flatten() {
            if is_within(&name, &subtree.base) != Some(false) && is_of_kind(&name, &subtree.base) {
                return Err(refused(&name));
            }
        }
        let mut permitted = constraints.permitted_subtrees.iter().flatten().filter(|it| is_of_kind(&name, &it.base));
        let Some(first) = permitted.next() else { continue };
        if ![first].into_iter().chain(permitted).any(|subtree| is_within(&name, &subtree.base) == Some(true)) {
            return Err(refused(&name));
        }
    }
    Ok(())
}

/// Subject and alternative names; the subject's e-mail addresses if there is no alternative name.
fn names(certificate: &Certificate) -> Result<Vec<GeneralName>, PathError> {
    let malformed = |_| PathError::Malformed { subject: certificate.subject() };
    let subject = certificate.as_x509().tbs_certificate().subject();
    let mut names = Vec::new();
    if !subject.is_empty() {
        names.push(GeneralName::DirectoryName(subject.clone()));
    }
    match certificate.extension::<SubjectAltName>(oid::SUBJECT_ALTERNATIVE_NAME).map_err(malformed)? {
        Some((_, SubjectAltName(alternatives))) => names.extend::<GeneralNames>(alternatives),
        None => {
            for attribute in subject.iter().filter(|attribute| attribute.oid == oid::EMAIL_ADDRESS) {
                let address = attribute.value.decode_as::<Ia5String>().map_err(malformed)?;
                names.push(GeneralName::Rfc822Name(address));
            }
        }
    }
    Ok(names)
}

fn is_of_kind(name: &GeneralName, other: &GeneralName) -> bool {
    std::mem::discriminant(name) == std::mem::discriminant(other)
}

/// Whether a name is within a subtree of its kind; `None` for kinds that are not compared.
fn is_within(name: &GeneralName, base: &GeneralName) -> Option<bool> {
    match (name, base) {
        (GeneralName::DirectoryName(name), GeneralName::DirectoryName(base)) => Some(directory_is_within(name, base)),
        (GeneralName::Rfc822Name(name), GeneralName::Rfc822Name(base)) => {
            Some(address_is_within(name.as_str(), base.as_str()))
        }
        (GeneralName::DnsName(name), GeneralName::DnsName(base)) => Some(host_is_within(name.as_str(), base.as_str())),
        _ => None,
    }
}

/// The base's parts are the first parts of the name.
fn directory_is_within(name: &Name, base: &Name) -> bool {
    let (name, base): (Vec<_>, Vec<_>) = (name.iter_rdn().collect(), base.iter_rdn().collect());
    base.len() <= name.len() && base.iter().zip(&name).all(|(base, name)| is_same_part(base, name))
}

fn is_same_part(one: &RelativeDistinguishedName, other: &RelativeDistinguishedName) -> bool {
    one.len() == other.len()
        && one.iter().all(|attribute| other.iter().any(|candidate| is_same_attribute(attribute, candidate)))
}

/// Texts are compared without regard to case, doubled blanks and the kind of string (RFC 5280, section 7.1).
fn is_same_attribute(one: &AttributeTypeAndValue, other: &AttributeTypeAndValue) -> bool {
    let text = |attribute: &AttributeTypeAndValue| {
        let text = std::str::from_utf8(attribute.value.value()).ok()?;
        Some(text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase())
    };
    one.oid == other.oid && (one.value == other.value || text(one).is_some_and(|text_of| Some(text_of) == text(other)))
}

/// A mailbox, all mailboxes of a host, or with a leading dot those of all hosts below it.
fn address_is_within(address: &str, base: &str) -> bool {
    let Some((local, host)) = address.rsplit_once('@') else { return false };
    match base.rsplit_once('@') {
        Some((base_local, base_host)) => local == base_local && host.eq_ignore_ascii_case(base_host),
        None if base.starts_with('.') => ends_with(host, base),
        None => host.eq_ignore_ascii_case(base),
    }
}

/// A host and all below it.
fn host_is_within(host: &str, base: &str) -> bool {
    let base = base.strip_prefix('.').unwrap_or(base);
    base.is_empty() || host.eq_ignore_ascii_case(base) || ends_with(host, &format!(".{base}"))
}

fn ends_with(host: &str, end: &str) -> bool {
    host.len() > end.len() && host.get(host.len() - end.len()..).is_some_and(|it| it.eq_ignore_ascii_case(end))
}

fn describe(name: &GeneralName) -> String {
    match name {
        GeneralName::DirectoryName(name) => name.to_string(),
        GeneralName::Rfc822Name(text) | GeneralName::DnsName(text) | GeneralName::UniformResourceIdentifier(text) => {
            text.to_string()
        }
        _ => "of a kind that is not supported".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use super::*;

    #[test]
    fn rfc_5280_4_2_1_10_names_are_within_subtrees_of_their_kind() {
        for (name, base, expected) in [
            ("a@example.com", "a@example.com", true),
            ("a@EXAMPLE.com", "example.com", true),
            ("a@mail.example.com", "example.com", false),
            ("a@mail.example.com", ".example.com", true),
            ("a@example.com", ".example.com", false),
            ("a@badexample.com", ".example.com", false),
            ("nobody", "example.com", false),
        ] {
            assert_eq!(address_is_within(name, base), expected, "{name} in {base}");
        }
        for (name, base, expected) in [
            ("example.com", "example.com", true),
            ("www.Example.com", "example.com", true),
            ("badexample.com", "example.com", false),
            ("com", "example.com", false),
            ("anything", "", true),
        ] {
            assert_eq!(host_is_within(name, base), expected, "{name} in {base}");
        }
        let name = |text| Name::from_str(text).unwrap();
        for (one, base, expected) in [
            ("CN=Seal,O=Example Org,C=FR", "O=EXAMPLE  org,C=FR", true),
            ("CN=Seal,O=Example Org,C=FR", "C=FR", true),
            ("CN=Seal,O=Other,C=FR", "O=Example Org,C=FR", false),
            ("C=FR", "O=Example Org,C=FR", false),
        ] {
            assert_eq!(directory_is_within(&name(one), &name(base)), expected, "{one} in {base}");
        }
    }
}
