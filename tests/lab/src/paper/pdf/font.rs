//! The fonts of a file: standard fonts are only named, of others a subset is embedded.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use skrifa::{FontRef, Tag};
use subsetter::GlyphRemapper;

use super::{Producer, Reference, Writer, content::Strings};
use crate::paper::{
    sheet::Sheet,
    typeface::{Face, Family},
};

const FACES: [Face; 10] = [
    Family::SANS.regular,
    Family::SANS.bold,
    Family::SERIF.regular,
    Family::SERIF.bold,
    Family::MODERN.regular,
    Family::MODERN.bold,
    Family::SANS.mono,
    Family::HELVETICA.regular,
    Family::HELVETICA.bold,
    Family::HELVETICA.mono,
];

/// The letters in use, by face.
#[derive(Default)]
pub(super) struct Fonts {
    letters: BTreeMap<usize, BTreeSet<char>>,
}

/// Fonts that were written to a file.
pub(crate) struct WrittenFonts {
    fonts: Vec<WrittenFont>,
    prefix: &'static str,
}

struct WrittenFont {
    face: Face,
    reference: Reference,
    /// `None` for a standard font, which uses `WinAnsiEncoding` (ISO 32000-1, annex D).
    codes: Option<BTreeMap<char, u16>>,
}

impl Fonts {
    pub(super) fn collect(&mut self, sheet: &Sheet) {
        for run in sheet.runs() {
            let index = FACES.iter().position(|face| *face == run.face).unwrap_or(0);
            self.letters.entry(index).or_default().extend(run.text.chars());
        }
    }

    pub(super) fn write(self, writer: &mut Writer, producer: &Producer) -> anyhow::Result<WrittenFonts> {
        let mut fonts = Vec::new();
        for (index, letters) in self.letters {
            let face = FACES[index];
            fonts.push(if face.is_standard() {
                let reference = writer.add(&format!(
                    "<< /Type /Font /Subtype /Type1 /BaseFont /{} /Encoding /WinAnsiEncoding >>",
                    face.name()
                ));
                WrittenFont { face, reference, codes: None }
            } else {
                embedded(face, &letters, writer)?
            });
        }
        Ok(WrittenFonts { fonts, prefix: producer.font_prefix })
    }
}

/// A composite font whose codes are the glyphs of its subset.
fn embedded(face: Face, letters: &BTreeSet<char>, writer: &mut Writer) -> anyhow::Result<WrittenFont> {
    let program = face.program();
    let mut mapper = GlyphRemapper::new();
    let codes: BTreeMap<char, u16> =
        letters.iter().map(|letter| (*letter, mapper.remap(program.glyph(*letter)))).collect();
    let subset = subsetter::subset(program.data, 0, &mapper).map_err(|error| anyhow::anyhow!("{error:?}"))?;
    let true_type = program.is_true_type();
    let file = if true_type {
        writer.stream(&format!("/Length1 {}", subset.len()), &subset)
    } else {
        let cff = FontRef::new(&subset)?.table_data(Tag::new(b"CFF "));
        let cff = cff.ok_or_else(|| anyhow::anyhow!("the subset has no CFF table"))?;
        writer.stream("/Subtype /CIDFontType0C", cff.as_bytes())
    };
    let name = format!("{}+{}", tag(&subset), face.name());
    let descriptor = writer.add(&format!(
        "<< /Type /FontDescriptor /FontName /{name} /Flags 4 /FontBBox [-200 -300 1200 1100] /ItalicAngle 0 /Ascent 950 \
         /Descent -250 /CapHeight 700 /StemV 80 /{} {file} >>",
        if true_type { "FontFile2" } else { "FontFile3" }
    ));
    let mut widths = String::new();
    for letter in letters {
        let _ = write!(widths, "{} [{:.0}] ", codes[letter], face.advance(*letter));
    }
    let descendant = writer.add(&format!(
        "<< /Type /Font /Subtype /{} /BaseFont /{name} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) \
         /Supplement 0 >> /FontDescriptor {descriptor} /DW 500 /W [{widths}]{} >>",
        if true_type { "CIDFontType2" } else { "CIDFontType0" },
        if true_type { " /CIDToGIDMap /Identity" } else { "" }
    ));
    let to_unicode = writer.stream("", unicode_map(&codes).as_bytes());
    let reference = writer.add(&format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /{name} /Encoding /Identity-H /DescendantFonts [{descendant}] /ToUnicode \
         {to_unicode} >>"
    ));
    Ok(WrittenFont { face, reference, codes: Some(codes) })
}

/// Six letters derived from the subset (ISO 32000-1, 9.6.4).
fn tag(subset: &[u8]) -> String {
    let mut sum = subset.iter().fold(7_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(*byte)));
    let mut letter = || {
        let letter = char::from(b'A' + u8::try_from(sum % 26).unwrap_or(0));
        sum /= 26;
        letter
    };
    (0..6).map(|_| letter()).collect()
}

fn unicode_map(codes: &BTreeMap<char, u16>) -> String {
    let mut map = String::from(
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Adobe-Identity-UCS def /CMapType 2 def\n\
         1 begincodespacerange <0000> <ffff> endcodespacerange\n",
    );
    let entries: Vec<String> =
        codes.iter().map(|(letter, code)| format!("<{code:04x}> <{:04x}>", u32::from(*letter))).collect();
    // At most 100 entries are allowed in one block.
    for block in entries.chunks(100) {
        let _ = write!(map, "{} beginbfchar\n{}\nendbfchar\n", block.len(), block.join("\n"));
    }
    map + "endcmap CMapName currentdict /CMap defineresource pop end end"
}

impl WrittenFonts {
    /// The entries of a resource dictionary.
    pub(crate) fn resources(&self) -> String {
        let mut entries = String::new();
        for (index, font) in self.fonts.iter().enumerate() {
            let _ = write!(entries, "/{}{} {} ", self.prefix, index + 1, font.reference);
        }
        entries
    }
}

impl Strings for WrittenFonts {
    fn name(&self, face: Face) -> String {
        let index = self.fonts.iter().position(|font| font.face == face).unwrap_or(0);
        format!("{}{}", self.prefix, index + 1)
    }

    fn string(&self, face: Face, text: &str) -> Vec<u8> {
        let codes = self.fonts.iter().find(|font| font.face == face).and_then(|font| font.codes.as_ref());
        match codes {
            Some(codes) => {
                text.chars().flat_map(|letter| codes.get(&letter).copied().unwrap_or(0).to_be_bytes()).collect()
            }
            None => text.chars().map(windows_code).collect(),
        }
    }
}

/// The code of a letter in `WinAnsiEncoding`.
pub(crate) fn windows_code(letter: char) -> u8 {
    match letter {
        '€' => 0x80,
        '…' => 0x85,
        'Œ' => 0x8c,
        '‘' => 0x91,
        '’' => 0x92,
        '–' => 0x96,
        'œ' => 0x9c,
        '\u{202f}' => 0xa0,
        letter => u8::try_from(u32::from(letter)).unwrap_or(b'?'),
    }
}
