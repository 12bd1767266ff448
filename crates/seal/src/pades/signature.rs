//! The signature that certifies a document.

use super::{FileWithHole, PadesError, ROOM, byte_range};
use crate::{
    asn1::oid,
    cms,
    digest::Sha256Digest,
    pdf::{
        PdfError,
        file::File,
        syntax::{Dictionary, Value},
        update::{AppendedRevision, Draft, Update, references, text},
    },
    pki::{Identity, SignError},
    time::UnixTime,
    tsp::Token,
};

/// What a signature says about itself. Readers show it; a claim, not a proof.
#[derive(Clone, Copy, Debug)]
pub struct SignatureText<'a> {
    /// The name of the signer.
    pub name: &'a str,
    pub reason: &'a str,
    /// The signer's clock.
    pub time: UnixTime,
}

/// A file that is ready to be signed.
#[derive(Clone, Debug)]
pub struct PreparedSignature(FileWithHole);

/// A file with a signature that is not yet embedded.
#[derive(Clone, Debug)]
pub struct SignedPdf {
    holed: FileWithHole,
    signed: cms::CmsSignature,
}

/// Appends the revision of a certification signature to `base`, a file of one revision without a form: the certificate as
/// it was rendered. The signature is not visible; what people see of it is on the page.
pub fn prepare_signature(base: &[u8], text: &SignatureText<'_>) -> Result<PreparedSignature, PadesError> {
    let file = File::read(base)?;
    if file.revisions.len() != 1 {
        return Err(PadesError::Unsuitable("has already been extended"));
    }
    let appended = signature_revision(&file, text)?;
    Ok(PreparedSignature(FileWithHole::new(base, &appended)))
}

fn signature_revision(file: &File<'_>, signature: &SignatureText<'_>) -> Result<AppendedRevision, PadesError> {
    let (root, catalog) = file.catalog()?;
    if ["AcroForm", "Perms", "DSS"].iter().any(|key| catalog.get(key).is_some()) {
        return Err(PadesError::Unsuitable("already has a form, permissions or a store of certificates"));
    }
    let mut update = Update::new(file)?;
    let (number, field) = (update.allocate(), update.allocate());
    let head = "/Type /Sig\n/Filter /Adobe.PPKLite\n/SubFilter /ETSI.CAdES.detached";
    let tail = format!(
        "/M ({})\n/Name {}\n/Reason {}\n/Reference [<< /Type /SigRef /TransformMethod /DocMDP /TransformParams << /Type \
         /TransformParams /P 1 /V /1.2 >> >>]",
        signature.time.to_pdf_date(),
        text(signature.name),
        text(signature.reason),
    );
    let hole = put_signature(&mut update, number, head, &tail, ROOM);
    put_field(file, &mut update, &catalog, field, "Seal", number)?;
    let mut draft = Draft::of(file, &catalog);
    draft.set("AcroForm", format!("<< /Fields {} /SigFlags 3 >>", references(&[], &[field])));
    draft.set("Perms", format!("<< /DocMDP {number} 0 R >>"));
    if catalog.get("Extensions").is_none() {
        // EN 319 142-1, section 5.3: a PDF 1.7 file says that it uses ETSI's signatures.
        draft.set("Extensions", "<< /ESIC << /BaseVersion /1.7 /ExtensionLevel 1 >> >>");
    }
    update.put(root, &draft.to_bytes());
    finish(file, update, hole)
}

/// The room in a signature's dictionary: offsets into the file.
pub(super) struct Hole {
    byte_range: std::ops::Range<usize>,
    contents: std::ops::Range<usize>,
}

/// Writes a signature's dictionary with a hole of `room` bytes.
pub(super) fn put_signature(update: &mut Update<'_, '_>, number: u32, head: &str, tail: &str, room: usize) -> Hole {
    let before = format!("<<\n{head}\n/ByteRange ");
    let range = byte_range(0, 0, 0);
    let between = "\n/Contents ";
    let at = update.put(number, format!("{before}{range}{between}<{}>\n{tail}\n>>", "0".repeat(2 * room)).as_bytes());
    let byte_range = at + before.len()..at + before.len() + range.len();
    let contents = byte_range.end + between.len();
    Hole { byte_range, contents: contents..contents + 2 * room + 2 }
}

/// Writes a signature field, which is its own annotation, and puts it on the first page, where it is not visible.
pub(super) fn put_field(
    file: &File<'_>,
    update: &mut Update<'_, '_>,
    catalog: &Dictionary,
    field: u32,
    name: &str,
    signature: u32,
) -> Result<(), PadesError> {
    let (page, dictionary) = file.first_page(catalog)?;
    let annotations = annotations(file, &dictionary)?;
    // F 132: printed and locked. A rectangle of no size needs no appearance (ISO 19005-3, section 6.3.3).
    let annotation = format!(
        "<<\n/Type /Annot\n/Subtype /Widget\n/FT /Sig\n/T ({name})\n/V {signature} 0 R\n/P {page} 0 R\n/F 132\n/Rect [0 0 \
         0 0]\n>>"
    );
    update.put(field, annotation.as_bytes());
    let mut draft = Draft::of(file, &dictionary);
    draft.set("Annots", references(&annotations, &[field]));
    update.put(page, &draft.to_bytes());
    Ok(())
}

/// The page's annotations; all of them must be indirect objects.
fn annotations(file: &File<'_>, page: &Dictionary) -> Result<Vec<u32>, PadesError> {
    let broken = || PadesError::Unsuitable("has annotations in a form that is not supported");
    let elements = match page.get("Annots").map(|node| &node.value) {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(elements)) => elements.clone(),
        Some(Value::Reference(number)) => match file.object(*number)?.node.value {
            Value::Array(elements) => elements,
            _ => return Err(broken()),
        },
        Some(_) => return Err(broken()),
    };
    let reference = |node: &crate::pdf::syntax::Node| match node.value {
        Value::Reference(number) => Ok(number),
        _ => Err(broken()),
    };
    elements.iter().map(reference).collect()
}

/// Finishes the revision, and writes the `/ByteRange` now that the file's length is known.
pub(super) fn finish(file: &File<'_>, update: Update<'_, '_>, hole: Hole) -> Result<AppendedRevision, PadesError> {
    let base = file.bytes.len();
    let mut bytes = update.finish()?;
    let end = base + bytes.len();
    let range = byte_range(hole.contents.start, hole.contents.end, end - hole.contents.end);
    let place = bytes.get_mut(hole.byte_range.start - base..hole.byte_range.end - base);
    match place {
        Some(place) if place.len() == range.len() => place.copy_from_slice(range.as_bytes()),
        _ => return Err(PdfError::new(base, "the file is too large for its offsets").into()),
    }
    Ok(AppendedRevision { bytes, hole: hole.contents })
}

impl PreparedSignature {
    /// The digest to sign: the SHA-256 of the file without the place of the signature.
    pub fn digest(&self) -> Sha256Digest {
        self.0.digest()
    }

    /// Signs. The signer only receives the signed attributes, a few hundred bytes.
    pub fn sign(self, identity: &Identity) -> Result<SignedPdf, PadesError> {
        let signed = cms::sign(identity, oid::DATA, &self.0.digest())?;
        Ok(SignedPdf { holed: self.0, signed })
    }
}

impl SignedPdf {
    /// The digest for a time stamp on the signature: request a token over it from an authority.
    pub fn digest_to_stamp(&self) -> Sha256Digest {
        Sha256Digest::of(self.signed.signature())
    }

    /// The signed file: level B-T with a token over [`digest_to_stamp`](Self::digest_to_stamp), B-B without.
    pub fn finish(self, token: Option<&Token>) -> Result<Vec<u8>, PadesError> {
        if token.is_some_and(|token| token.stamped_digest() != Some(self.digest_to_stamp())) {
            return Err(PadesError::OtherDigest);
        }
        let message = self.signed.to_message(None, true, token.map(Token::der));
        self.holed.fill(&message.map_err(|error| SignError::Encoding(error.to_string()))?)
    }
}
