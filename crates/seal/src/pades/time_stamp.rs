//! A document time stamp (EN 319 142-1, section 5.4.3), together with what is needed to check the file in the long
//! term.

use std::fmt::Write as _;

use super::{
    FileWithHole, PadesError, ROOM,
    signature::{finish, put_field, put_signature},
};
use crate::{
    digest::Sha256Digest,
    pdf::{
        file::File,
        syntax::{Dictionary, Value},
        update::{AppendedRevision, Draft, Update, hexadecimal, references},
    },
    pki::Certificate,
    tsp::Token,
};

/// The key of [`TimeStampRevision::log_proof`] in the time stamp's dictionary. ISO 32000-1, annex E, reserves keys with
/// a registered prefix for their users.
pub(crate) const LOG_PROOF: &str = "SLWR_LogProof";

/// What a reader needs to check signature and time stamps when authorities no longer answer (the Document Security
/// Store, EN 319 142-1, section 5.4.2).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValidationMaterial {
    /// The certificates of all chains.
    pub certificates: Vec<Certificate>,
    /// DER `CertificateList` of each issuer.
    pub revocation_lists: Vec<Vec<u8>>,
    /// DER `OCSPResponse`.
    pub ocsp_responses: Vec<Vec<u8>>,
}

impl ValidationMaterial {
    fn kinds(&self) -> [(&'static str, Vec<&[u8]>); 3] {
        [
            ("Certs", self.certificates.iter().map(Certificate::der).collect()),
            ("CRLs", self.revocation_lists.iter().map(Vec::as_slice).collect()),
            ("OCSPs", self.ocsp_responses.iter().map(Vec::as_slice).collect()),
        ]
    }
}

/// A file that is ready to be stamped.
#[derive(Clone, Debug)]
pub struct PreparedTimeStamp(FileWithHole);

/// Appends the revision of a document time stamp to `signed`, a certificate of any level that this crate signed.
///
/// With `material`, the result has the highest level (B-LTA), and the material is stamped too. `log_proof` is written
/// to the time stamp's dictionary: the place of this certificate in a log, in the log's own form.
pub fn prepare_time_stamp(
    signed: &[u8],
    material: Option<&ValidationMaterial>,
    log_proof: Option<&[u8]>,
) -> Result<PreparedTimeStamp, PadesError> {
    let file = File::read(signed)?;
    let revision =
        TimeStampRevision { material: material.cloned(), log_proof: log_proof.map(<[u8]>::to_vec), room: ROOM };
    let appended = revision.write(&file)?;
    Ok(PreparedTimeStamp(FileWithHole::new(signed, &appended)))
}

impl PreparedTimeStamp {
    /// The digest: request a token over it from an authority.
    pub fn digest(&self) -> Sha256Digest {
        self.0.digest()
    }

    /// The stamped file.
    pub fn finish(self, token: &Token) -> Result<Vec<u8>, PadesError> {
        if token.stamped_digest() != Some(self.0.digest()) {
            return Err(PadesError::OtherDigest);
        }
        self.0.fill(token.der())
    }
}

/// Everything that distinguishes one time stamp's revision from another, except its token. Verification reads this from
/// a revision, writes it again and compares, so the revision cannot contain anything else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TimeStampRevision {
    pub(crate) material: Option<ValidationMaterial>,
    pub(crate) log_proof: Option<Vec<u8>>,
    /// The room for the token, in bytes.
    pub(crate) room: usize,
}

impl TimeStampRevision {
    /// The revision on top of `file`, its hole empty.
    pub(crate) fn write(&self, file: &File<'_>) -> Result<AppendedRevision, PadesError> {
        let (root, catalog) = file.catalog()?;
        let (Some(form), Some(_)) = (catalog.dictionary("AcroForm"), catalog.dictionary("Perms")) else {
            return Err(PadesError::Unsuitable("is not signed as a certificate"));
        };
        let fields = numbers(form, "Fields")?;
        let mut update = Update::new(file)?;
        let (number, field) = (update.allocate(), update.allocate());
        let head = "/Type /DocTimeStamp\n/Filter /Adobe.PPKLite\n/SubFilter /ETSI.RFC3161";
        let tail = match &self.log_proof {
            Some(proof) => format!("/V 0\n/{LOG_PROOF} {}", hexadecimal(proof)),
            None => "/V 0".to_owned(),
        };
        let hole = put_signature(&mut update, number, head, &tail, self.room);
        // The first field is the signature's.
        put_field(file, &mut update, &catalog, field, &format!("TimeStamp{}", fields.len()), number)?;
        let mut draft = Draft::of(file, &catalog);
        draft.set("AcroForm", format!("<< /Fields {} /SigFlags 3 >>", references(&fields, &[field])));
        if let Some(material) = &self.material {
            let store = put_material(file, &mut update, &catalog, material)?;
            draft.set("DSS", format!("{store} 0 R"));
        }
        update.put(root, &draft.to_bytes());
        finish(file, update, hole)
    }
}

/// Writes a store with the existing and the new material, and returns its number.
fn put_material(
    file: &File<'_>,
    update: &mut Update<'_, '_>,
    catalog: &Dictionary,
    material: &ValidationMaterial,
) -> Result<u32, PadesError> {
    let existing = file.follow(catalog, "DSS")?.unwrap_or_default();
    let mut entries = String::new();
    for (key, streams) in material.kinds() {
        let mut added = Vec::new();
        for der in streams {
            let number = update.allocate();
            update.put_stream(number, der);
            added.push(number);
        }
        let existing = if existing.get(key).is_some() { numbers(&existing, key)? } else { Vec::new() };
        if !existing.is_empty() || !added.is_empty() {
            let _ = write!(entries, "\n/{key} {}", references(&existing, &added));
        }
    }
    let store = update.allocate();
    update.put(store, format!("<<\n/Type /DSS{entries}\n>>").as_bytes());
    Ok(store)
}

/// The object numbers in an array of references.
pub(crate) fn numbers(dictionary: &Dictionary, key: &str) -> Result<Vec<u32>, PadesError> {
    let broken = || PadesError::Unsuitable("has an invalid list of objects");
    let reference = |node: &crate::pdf::syntax::Node| match node.value {
        Value::Reference(number) => Ok(number),
        _ => Err(broken()),
    };
    dictionary.array(key).ok_or_else(broken)?.iter().map(reference).collect()
}
