//! The data model of a PDF file's facts, except its pages.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use sealwright_provenance::Provenance;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::{model::Area, xmp::Xmp};

/// A PDF file's structure.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PdfFacts {
    /// For example `1.7`, from the header or the catalog.
    pub version: String,
    /// All pages, also those that were not read.
    pub page_count: u32,
    /// Objects in use.
    pub object_count: u32,
    /// Encrypted, and opened without a password.
    pub encrypted: bool,
    pub linearized: bool,
    /// The file's states over time, the oldest first. A file that was never appended to has one.
    pub revisions: Vec<Revision>,
    /// Bytes after the last `%%EOF`, without white space.
    pub bytes_behind_end: u64,
    /// Bytes before `%PDF-`.
    pub bytes_before_start: u64,
    pub information: Information,
    /// `None` if there is no XMP or it is not XML.
    pub xmp: Option<Xmp>,
    /// The permanent and the changing part of the document's identifier, lowercase hexadecimal, of the last revision.
    pub identifier: Option<(String, String)>,
    pub signatures: Vec<Signature>,
    pub fonts: Vec<Font>,
    /// Of each page that was read and has content.
    #[serde(default)]
    pub notations: Vec<Notation>,
    pub annotations: Vec<Annotation>,
    pub form_fields: Vec<FormField>,
    pub actions: Vec<Action>,
    pub embedded_files: Vec<EmbeddedFile>,
    pub layers: Vec<Layer>,
    /// What the file declares about its origin; `None` if it declares nothing, and in facts from before it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
}

/// One state of the file, made by appending to the one before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Revision {
    /// From 1.
    pub number: u32,
    /// The bytes that it added, from `start` (inclusive) to `end` (exclusive).
    pub start: u64,
    pub end: u64,
    /// How many objects it wrote, those in object streams included.
    pub object_count: u32,
    /// The numbers of existing objects that were written again, ascending, at most
    /// [`max_changed_objects`](crate::Limits::max_changed_objects).
    pub changed_objects: Vec<u32>,
    /// The pages (from 1) of the last revision whose content stream or page object was written again by this revision.
    pub changed_pages: Vec<u32>,
    /// What kinds of object it wrote (`Page`, `Annot`, `Sig`, `Metadata`, `content`, `Font`, `Image`, `Catalog`, `Info`),
    /// each once, in alphabetical order.
    pub kinds: Vec<String>,
    /// The information dictionary's producer and modification date in this revision, if it wrote one.
    pub producer: Option<String>,
    pub modified: Option<String>,
}

/// The information dictionary. Texts are cut at [`max_text_length`](crate::Limits::max_text_length) characters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Information {
    pub title: Option<String>,
    pub author: Option<String>,
    pub creator: Option<String>,
    pub producer: Option<String>,
    /// RFC 3339, as far as the file's date could be read.
    pub created: Option<String>,
    pub modified: Option<String>,
}

/// A signature field with a value. Who signed, and whether to trust them, is not checked here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Signature {
    /// The field's name.
    pub field: String,
    /// For example `ETSI.CAdES.detached` or `ETSI.RFC3161`.
    pub sub_filter: Option<String>,
    /// Whether it matches what it covers.
    #[serde(default)]
    pub integrity: Integrity,
    /// As in the file: offset and length of each part.
    pub byte_range: Vec<(u64, u64)>,
    /// The end of the last part.
    pub covered_until: u64,
    /// Whether the parts begin at 0, leave out exactly one hexadecimal string, and end with the file.
    pub covers_whole_file: bool,
    /// The number of the revision it ends with; `None` if it ends elsewhere.
    pub revision: Option<u32>,
    pub name: Option<String>,
    pub reason: Option<String>,
    /// As written by the signer.
    pub signed_at: Option<String>,
    /// For a certification signature: 1 no change, 2 forms, 3 forms and annotations allowed.
    pub permission: Option<u8>,
}

/// Whether a signature matches what it covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Integrity {
    /// The covered bytes have the digest that was signed, and the signature verifies with the certificate next to it.
    Intact,
    /// The covered bytes were changed, or the signature was.
    Broken,
    /// Its form or its algorithm is not supported here, or it is one of too many.
    #[default]
    Unknown,
}

/// A font that pages name in their resources.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Font {
    /// Without the subset's tag.
    pub name: String,
    /// The six letters before the plus sign, for a font that contains only the characters used.
    pub subset_tag: Option<String>,
    pub embedded: bool,
    /// `Type1`, `TrueType`, `Type0`, `Type3`, …
    pub kind: String,
    /// For example `WinAnsiEncoding` or `Identity-H`.
    pub encoding: Option<String>,
    /// Whether it maps its codes to characters.
    pub to_unicode: bool,
    /// The object that contains it, 0 for one that is directly in the resources.
    pub object: u32,
    /// The number of the revision that wrote that object last.
    pub revision: Option<u32>,
    /// The pages that draw with it, among those that were read, from 1.
    pub pages: Vec<u32>,
    /// Which of its glyphs are drawn. `None` if nothing is, or if a bound was reached.
    #[serde(default)]
    pub usage: Option<GlyphUsage>,
}

/// Which glyphs of a font the document draws.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GlyphUsage {
    /// Different glyphs that are drawn, without white space.
    pub drawn: u32,
    /// The fewest of them without which the numbers of the glyphs ascend in the order of their first use. Programs that
    /// number them in that order leave 0; others about `drawn` less twice its square root.
    pub displaced: u32,
    /// Where they are drawn first: at most 32.
    pub displaced_at: Vec<Placed>,
    /// Different characters that the font maps codes to (`ToUnicode`), without those that show nothing.
    pub mapped: u32,
    /// How many of these no page draws in this font.
    pub undrawn_count: u32,
    /// They themselves, at most 32.
    pub undrawn: Vec<String>,
}

/// How the content of a page is written down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Notation {
    /// From 1.
    pub page: u32,
    pub operators: u32,
    /// Operators that end their line.
    pub operators_at_line_end: u32,
    /// Operators right behind a string, an array or a dictionary, without a space.
    #[serde(default)]
    pub operators_glued: u32,
    pub arrays: u32,
    /// Arrays with a space after the bracket.
    pub spaced_arrays: u32,
    /// Strings in parentheses.
    pub literal_strings: u32,
    /// Strings in angle brackets.
    pub hexadecimal_strings: u32,
}

/// A place in the document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Placed {
    /// From 1.
    pub page: u32,
    pub area: Area,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Annotation {
    /// From 1.
    pub page: u32,
    /// `FreeText`, `Stamp`, `Widget`, `Redact`, …
    pub kind: String,
    pub area: Area,
    pub contents: Option<String>,
    pub modified: Option<String>,
    pub hidden: bool,
    /// Whether it has an appearance of its own that is drawn over the page.
    pub has_appearance: bool,
    pub object: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FormField {
    /// Names from the root, joined with dots.
    pub name: String,
    /// `Tx`, `Btn`, `Ch` or `Sig`.
    pub kind: String,
    pub value: Option<String>,
}

/// An action that a viewer would perform. It is never performed here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Action {
    /// `JavaScript`, `Launch`, `URI`, `SubmitForm`, `GoToR`, `GoToE`, `ImportData`, …
    pub kind: String,
    /// Where it is attached: `open`, `document`, `page 3`, `annotation on page 3`, `field name`.
    pub place: String,
    /// The address, the file, or the start of the script.
    pub target: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EmbeddedFile {
    pub name: String,
    /// As stored in the file, in bytes, compressed.
    pub stored_size: u64,
    /// As the file declares it: `text/xml`. Facts of earlier versions do not have this and the following fields.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// How it relates to the document (`AFRelationship`): `Alternative`, `Data`, `Source`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relationship: Option<String>,
    /// Its bytes, if they are within the bounds: 1 MiB each, 2 MiB and 16 files in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<AttachedBytes>,
}

/// The bytes of an attached file. In JSON, base64.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttachedBytes(pub Vec<u8>);

impl Serialize for AttachedBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&BASE64_STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for AttachedBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        BASE64_STANDARD.decode(text).map(Self).map_err(D::Error::custom)
    }
}

/// An optional content group.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Layer {
    pub name: String,
    /// Whether the file shows it when it is opened. Text of a hidden layer is not among the pages' texts.
    pub visible: bool,
}
