//! Revocation lists.

use der::Encode;
use x509_cert::{crl::CertificateList, ext::pkix::KeyUsage};

use super::{Statement, StatementDates, decode};
use crate::{algorithm, asn1::oid, pki::Certificate, time::UnixTime};

/// The list's statement about `certificate`; `None` if it is not its issuer's complete and direct list.
pub(super) fn read(der: &[u8], certificate: &Certificate, issuer: &Certificate) -> Option<Statement> {
    let tbs = verified(der, issuer)?.tbs_cert_list;
    let serial_number = certificate.as_x509().tbs_certificate().serial_number();
    let entry = tbs.revoked_certificates.iter().flatten().find(|entry| entry.serial_number == *serial_number);
    Some(Statement {
        made: UnixTime::from_x509(tbs.this_update),
        current_until: tbs.next_update.map(UnixTime::from_x509),
        revoked: entry.map(|entry| UnixTime::from_x509(entry.revocation_date)),
    })
}

/// When the list was made, and until when it is current; `None` as for [`read`].
pub(super) fn dates(der: &[u8], issuer: &Certificate) -> Option<StatementDates> {
    let tbs = verified(der, issuer)?.tbs_cert_list;
    Some(StatementDates {
        made: UnixTime::from_x509(tbs.this_update),
        current_until: tbs.next_update.map(UnixTime::from_x509),
    })
}

fn verified(der: &[u8], issuer: &Certificate) -> Option<CertificateList> {
    let list: CertificateList = decode(der)?;
    let tbs = &list.tbs_cert_list;
    let key = issuer.as_x509().tbs_certificate();
    if tbs.issuer != *key.subject() || tbs.signature != list.signature_algorithm || !may_sign_lists(issuer) {
        return None;
    }
    let signed = tbs.to_der().ok()?;
    let signature = list.signature.as_bytes()?;
    algorithm::verify(key.subject_public_key_info(), &list.signature_algorithm, None, &signed, signature).ok()?;
    // A list for only some certificates or reasons says nothing about the others (RFC 5280, section 5.2.5).
    if tbs.crl_extensions.iter().flatten().any(|extension| extension.critical) {
        return None;
    }
    Some(list)
}

/// RFC 5280, section 4.2.1.3: a certificate with key usages needs the one for signing lists.
fn may_sign_lists(issuer: &Certificate) -> bool {
    issuer.extension::<KeyUsage>(oid::KEY_USAGE).is_ok_and(|usage| usage.is_none_or(|(_, usage)| usage.crl_sign()))
}
