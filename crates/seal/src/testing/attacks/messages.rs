// The content of the hole: parts of a signed message that its signature does not cover, encoded differently; and other
// messages in its place. Half of these do not change the meaning. They are still detected: no byte of a certificate may
// be changed.

use cms::{
    cert::CertificateChoices,
    content_info::{CmsVersion, ContentInfo},
    signed_data::{CertificateSet, SignedData, SignerIdentifier, SignerInfo, SignerInfos},
};
use der::{
    Any, Decode, Encode,
    asn1::{ObjectIdentifier, OctetString, SetOfVec},
};
use p256::ecdsa::Signature;
use sealwright_seal::Sha256Digest;
use spki::AlgorithmIdentifierOwned;
use x509_cert::attr::Attribute;

use super::{Attack, MESSAGE, Victim, pdf::hole};

const TOKEN: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.16.2.14");
const COUNTER_SIGNATURE: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.6");
const SHA_256: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.1");
const SHA_384: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.2");
const SHA_1: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.14.3.2.26");

/// A change to a message and its signer.
type Change<'c> = &'c dyn Fn(&mut SignedData, &mut SignerInfo);

#[expect(clippy::too_many_lines, reason = "a list")]
pub(super) fn add(victim: &Victim<'_>, attacks: &mut Vec<Attack>) {
    let pdf = &victim.signed;
    let mut attack = |variant: &str, pdf: Vec<u8>| attacks.push(Attack::new(MESSAGE, variant, pdf));
    let changes: [(&str, Change<'_>); 24] = [
        ("the other half of the signature", &|_, signer| {
            let signature = Signature::from_der(signer.signature.as_bytes()).unwrap();
            let (r, s) = signature.split_scalars();
            let other = Signature::from_scalars(r.to_bytes(), (-*s).to_bytes()).unwrap();
            signer.signature = OctetString::new(other.to_der().as_bytes()).unwrap();
        }),
        ("a parameter NULL of the digest", &|data, signer| {
            signer.digest_alg.parameters = Some(Any::null());
            data.digest_algorithms = SetOfVec::try_from(vec![signer.digest_alg.clone()]).unwrap();
        }),
        ("a parameter NULL of the digest, once", &|_, signer| signer.digest_alg.parameters = Some(Any::null())),
        ("a parameter NULL of the signature", &|_, signer| signer.signature_algorithm.parameters = Some(Any::null())),
        ("another digest algorithm", &|_, signer| signer.digest_alg.oid = SHA_384),
        ("a weak digest algorithm", &|data, signer| {
            signer.digest_alg.oid = SHA_1;
            data.digest_algorithms = SetOfVec::try_from(vec![signer.digest_alg.clone()]).unwrap();
        }),
        ("no list of digest algorithms", &|data, _| data.digest_algorithms = SetOfVec::new()),
        ("a longer list of digest algorithms", &|data, _| {
            let algorithm = |oid| AlgorithmIdentifierOwned { oid, parameters: None };
            data.digest_algorithms = SetOfVec::try_from(vec![algorithm(SHA_256), algorithm(SHA_384)]).unwrap();
        }),
        ("the signer named by its key", &|data, signer| {
            signer.sid = SignerIdentifier::SubjectKeyIdentifier(x509_cert::ext::pkix::SubjectKeyIdentifier(
                OctetString::new([1; 20]).unwrap(),
            ));
            signer.version = CmsVersion::V3;
            data.version = CmsVersion::V3;
        }),
        ("another version", &|data, _| data.version = CmsVersion::V3),
        ("another version of the signer", &|_, signer| signer.version = CmsVersion::V3),
        ("no certificates", &|data, _| data.certificates = None),
        ("the root taken away", &|data, _| keep(data, |subject| !subject.contains("root"))),
        ("the signer's certificate taken away", &|data, _| keep(data, |subject| subject.contains("root"))),
        ("an additional certificate of the attacker", &|data, _| {
            let theirs = read(&victim.foreign).certificates.unwrap();
            let mut all = data.certificates.clone().unwrap().0;
            all.insert(theirs.0.get(0).unwrap().clone()).unwrap();
            data.certificates = Some(CertificateSet(all));
        }),
        ("the attacker's certificates instead", &|data, _| data.certificates = read(&victim.foreign).certificates),
        ("another content's type", &|data, _| data.encap_content_info.econtent_type = TOKEN),
        ("a content inside", &|data, _| {
            data.encap_content_info.econtent =
                Some(Any::encode_from(&OctetString::new(*b"counterfeit").unwrap()).unwrap());
        }),
        ("an additional counter-signature", &|_, signer| unsigned(signer, COUNTER_SIGNATURE, Any::null())),
        ("a token that is not one", &|_, signer| unsigned(signer, TOKEN, Any::null())),
        ("a token over another signature", &|_, signer| {
            unsigned(signer, TOKEN, Any::from_der((victim.stamp)(&Sha256Digest::of("other")).der()).unwrap());
        }),
        ("no signed attributes", &|_, signer| signer.signed_attrs = None),
        ("a signed attribute less", &|_, signer| {
            let mut attributes: Vec<Attribute> = signer.signed_attrs.clone().unwrap().into_vec();
            attributes.pop();
            signer.signed_attrs = Some(SetOfVec::try_from(attributes).unwrap());
        }),
        ("an empty signature", &|_, signer| signer.signature = OctetString::new([]).unwrap()),
    ];
    for (what, change) in changes {
        attack(what, rewritten(pdf, change));
    }
    attack("two signers", {
        let mut data = read(pdf);
        let mut second = data.signer_infos.0.get(0).unwrap().clone();
        second.signature = OctetString::new([1]).unwrap();
        data.signer_infos.0.insert(second).unwrap();
        in_hole(pdf, &wrapped(&data))
    });
    attack("no signer", {
        let mut data = read(pdf);
        data.signer_infos = SignerInfos(SetOfVec::new());
        in_hole(pdf, &wrapped(&data))
    });
    attack("a sequence that says no length", {
        let der = message(pdf);
        // BER: 30 80 … 00 00.
        let body = &der[4..];
        in_hole(pdf, &[&[0x30, 0x80], body, &[0, 0]].concat())
    });
    attack("a length in more bytes than needed", {
        let der = message(pdf);
        in_hole(pdf, &[&[0x30, 0x83, 0], &der[2..]].concat())
    });
    attack("something after it", in_hole(pdf, &[&message(pdf)[..], &[5, 0]].concat()));
    attack("lowercase digits", {
        let mut changed = pdf.clone();
        let place = hole(&changed);
        changed[place].make_ascii_lowercase();
        changed
    });
    attack("the attacker's whole message", in_hole(pdf, &message(&victim.foreign)));
    attack("the whole message of another certificate", in_hole(pdf, &message(&victim.other)));
    attack("a token in the signature's place", in_hole(pdf, (victim.stamp)(&Sha256Digest::of("other")).der()));
    let stamped = &victim.stamped;
    attack("the token of another certificate", {
        let theirs = read(&victim.other).signer_infos.0.get(0).unwrap().unsigned_attrs.clone();
        rewritten(stamped, &|_, signer| signer.unsigned_attrs.clone_from(&theirs))
    });
    attack("the attacker's token", {
        let theirs = read(&victim.foreign).signer_infos.0.get(0).unwrap().unsigned_attrs.clone();
        rewritten(stamped, &|_, signer| signer.unsigned_attrs.clone_from(&theirs))
    });
    attack("two tokens", {
        rewritten(stamped, &|_, signer| {
            let mut attributes = signer.unsigned_attrs.clone().unwrap().into_vec();
            let other = (victim.stamp)(&Sha256Digest::of(signer.signature.as_bytes()));
            attributes[0].values.insert(Any::from_der(other.der()).unwrap()).unwrap();
            signer.unsigned_attrs = Some(SetOfVec::try_from(attributes).unwrap());
        })
    });
    attack("the other half of a stamped signature", {
        rewritten(stamped, &|_, signer| {
            let (r, s) = Signature::from_der(signer.signature.as_bytes()).unwrap().split_scalars();
            let other = Signature::from_scalars(r.to_bytes(), (-*s).to_bytes()).unwrap();
            signer.signature = OctetString::new(other.to_der().as_bytes()).unwrap();
        })
    });
}

/// The message in the last hole, without the padding.
fn message(pdf: &[u8]) -> Vec<u8> {
    let digits = &pdf[hole(pdf)];
    let text: Vec<u8> = digits[1..digits.len() - 1].to_vec();
    let bytes: Vec<u8> =
        text.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect();
    let length = 4 + usize::from(bytes[2]) * 256 + usize::from(bytes[3]);
    bytes[..length].to_vec()
}

fn read(pdf: &[u8]) -> SignedData {
    let info = ContentInfo::from_der(&message(pdf)).unwrap();
    SignedData::from_der(&info.content.to_der().unwrap()).unwrap()
}

fn wrapped(data: &SignedData) -> Vec<u8> {
    let content_type = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.2");
    ContentInfo { content_type, content: Any::encode_from(data).unwrap() }.to_der().unwrap()
}

/// The file with its message changed.
fn rewritten(pdf: &[u8], change: &dyn Fn(&mut SignedData, &mut SignerInfo)) -> Vec<u8> {
    let mut data = read(pdf);
    let mut signer = data.signer_infos.0.get(0).unwrap().clone();
    change(&mut data, &mut signer);
    data.signer_infos = SignerInfos(SetOfVec::try_from(vec![signer]).unwrap());
    in_hole(pdf, &wrapped(&data))
}

fn unsigned(signer: &mut SignerInfo, oid: ObjectIdentifier, value: Any) {
    let attribute = Attribute { oid, values: SetOfVec::try_from(vec![value]).unwrap() };
    signer.unsigned_attrs = Some(SetOfVec::try_from(vec![attribute]).unwrap());
}

fn keep(data: &mut SignedData, is_kept: impl Fn(&str) -> bool) {
    let subject = |choice: &CertificateChoices| match choice {
        CertificateChoices::Certificate(certificate) => certificate.tbs_certificate().subject().to_string(),
        CertificateChoices::Other(_) => String::new(),
    };
    let all = data.certificates.clone().unwrap().0.into_vec();
    let kept: Vec<CertificateChoices> = all.into_iter().filter(|choice| is_kept(&subject(choice))).collect();
    data.certificates = Some(CertificateSet(SetOfVec::try_from(kept).unwrap()));
}

/// Puts these bytes into the last hole, followed by zeros.
fn in_hole(pdf: &[u8], der: &[u8]) -> Vec<u8> {
    super::pdf::in_last_hole(pdf, der)
}
