//! The data model of a picture's facts.

use serde::{Deserialize, Serialize};

use super::exif::Exif;
use crate::xmp::Xmp;
use sealwright_provenance::Provenance;

/// A JPEG or PNG file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImageFacts {
    /// In pixels, before any EXIF orientation.
    pub width: u32,
    pub height: u32,
    pub jpeg: Option<JpegFacts>,
    pub png: Option<PngFacts>,
    /// `None` without EXIF.
    pub exif: Option<Exif>,
    pub xmp: Option<Xmp>,
    /// Programs that left a mark, each once, in the order in which they were found.
    pub editors: Vec<EditorTrace>,
    /// `None` if the pixels could not be decoded, or are too many.
    pub pixels: Option<PixelFacts>,
    /// What the file declares about its origin; `None` if it declares nothing, and in facts from before it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
}

/// How a JPEG is coded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JpegFacts {
    pub progressive: bool,
    /// 1 grey, 3 colour, 4 CMYK.
    pub components: u8,
    /// Horizontal and vertical sampling factors of the first component, for example `(2, 2)`.
    pub sampling: (u8, u8),
    /// The quantisation tables at the start of the first scan, by number, each 64 values from 1 in zigzag order.
    pub quantisation: Vec<QuantisationTable>,
    /// The quality (1 to 100) of the scaled tables of ITU-T T.81, annex K that is nearest to the luminance table.
    pub quality: Option<u8>,
    /// The mean distance of the table from that of [`quality`](Self::quality), in hundredths of a step: 0 means that the
    /// usual library made it, cameras and some programs have tables of their own.
    pub quality_distance: u32,
    /// All marker segments in order, at most 128.
    pub segments: Vec<Segment>,
    pub comment: Option<String>,
    /// Bytes after the end of image.
    pub bytes_behind_end: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QuantisationTable {
    pub number: u8,
    pub values: Vec<u16>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Segment {
    /// For example `APP1`, `DQT`, `SOF0`.
    pub marker: String,
    /// What an application segment says it is: `Exif`, `JFIF`, `Photoshop 3.0`, `ICC_PROFILE`, …
    pub label: Option<String>,
    /// In bytes, without marker and length.
    pub length: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PngFacts {
    /// Bits of one channel.
    pub bit_depth: u8,
    /// 0 grey, 2 colour, 3 palette, 4 grey with alpha, 6 colour with alpha.
    pub colour_type: u8,
    /// Names of the chunks in order, equal neighbours once, at most 128.
    pub chunks: Vec<String>,
    /// Keywords and texts of `tEXt`, `zTXt` and `iTXt`, at most 32.
    pub texts: Vec<(String, String)>,
    /// The time of the last change according to the file (`tIME`), RFC 3339.
    pub modified: Option<String>,
    /// Bytes after `IEND`.
    pub bytes_behind_end: u64,
}

/// A program that edits pictures and left its name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EditorTrace {
    /// For example `Adobe Photoshop`.
    pub program: String,
    /// Where: `exif software`, `xmp creator tool`, `xmp history`, `segment`, `comment`, `png text`.
    pub place: String,
    /// The text that names it.
    pub text: String,
}

/// What the pixels show. Numbers are integers; plugins decide what they mean.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PixelFacts {
    /// Two perceptual hashes, 64 bits each as 16 hexadecimal digits. Similar pictures have similar hashes (Hamming
    /// distance): unrelated ones differ in about 32 bits.
    pub dct_hash: String,
    pub gradient_hash: String,
    /// Of the brightness (0 to 255), in hundredths.
    pub mean_brightness: u32,
    pub contrast: u32,
    /// Pixels at or above 250, and at or below 5, in hundredths of a percent (0 to 10,000).
    pub blown_out: u32,
    pub black: u32,
    /// Mean strength of the Laplacian in hundredths: a small value means blurred.
    pub sharpness: u32,
    /// The Hamming distance (0 to 64) of the EXIF thumbnail's DCT hash from the picture's, turned by the quarters at which
    /// they are most alike; `None` without a thumbnail that can be decoded.
    pub thumbnail_distance: Option<u8>,
    /// By how many quarters to the right the thumbnail must be turned for that, 0 to 3.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub thumbnail_turn: u8,
    /// For a JPEG.
    pub compression: Option<CompressionFacts>,
    /// Empty in facts from before it was measured, like `copied`.
    #[serde(default, skip_serializing_if = "GridFacts::is_empty")]
    pub grids: GridFacts,
    /// The part of the picture that is most surely a copy of another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copied: Option<CopiedPart>,
    pub recapture: RecaptureFacts,
}

/// Traces of compression before the present one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompressionFacts {
    /// For each of the nine lowest frequencies after the mean (zigzag order), the strongest period in the histogram of
    /// its quantised values, in thousandths of the strength of the whole. One compression leaves a smooth histogram,
    /// small numbers; two at different qualities leave gaps and peaks.
    pub histogram_periodicity: Vec<u32>,
    /// Strength of the block grid at each of the eight horizontal and vertical offsets, in thousandths of the mean of
    /// all eight. A peak at 0 alone is this file's own grid; a second one is an earlier grid that was shifted by cropping.
    pub grid_horizontal: Vec<u32>,
    pub grid_vertical: Vec<u32>,
    /// Mean change when the middle of the picture is compressed again at these qualities: `(quality, change)`, change
    /// in thousandths of a step of brightness. A dip below the present quality shows an earlier compression.
    pub ghosts: Vec<(u8, u32)>,
    /// How much compressing again changes each region.
    pub error_level: ErrorLevel,
    /// `None` for a picture that is too small.
    #[serde(default)]
    pub history: Option<HistoryFacts>,
}

/// An earlier compression on the same grid of blocks, and parts of the picture that did not go through it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HistoryFacts {
    /// How much better an earlier compression fits the values of a frequency than none, summed over the frequencies, in
    /// thousandths of a natural logarithm for each value. 0 without one. A single frequency counts for little.
    pub gain: u32,
    /// The same for one table of ITU-T T.81, annex K for all frequencies at once, in ten-thousandths.
    #[serde(default)]
    pub table_gain: u32,
    /// The earlier steps of the significant frequencies: place in zigzag order, and step.
    pub earlier_steps: Vec<(u8, u16)>,
    /// Parts that do not share that history, the most conspicuous first, at most 2.
    pub odd_parts: Vec<OddPart>,
    /// The same, by the comb of the values alone: zeros, which are frequent in smooth parts, do not count.
    #[serde(default)]
    pub combless_parts: Vec<OddPart>,
}

/// In pixels before any EXIF orientation, on whole blocks of 8 by 8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OddPart {
    pub left: u32,
    pub top: u32,
    pub width: u32,
    pub height: u32,
    /// How much likelier their history is a different one, in total, in tenths of a natural logarithm.
    pub strength: u32,
}

/// Grids of blocks of an earlier compression. In a JPEG, grids that share columns or rows with its own are not counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GridFacts {
    /// The grid of the whole picture; `None` if it was not found.
    pub main: Option<GridPart>,
    /// Parts on another grid, the one with the most evidence first, at most 4.
    pub parts: Vec<GridPart>,
}

impl GridFacts {
    fn is_empty(&self) -> bool {
        self.main.is_none() && self.parts.is_empty()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u8) -> bool {
    *number == 0
}

/// In pixels before any EXIF orientation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GridPart {
    pub left: u32,
    pub top: u32,
    pub width: u32,
    pub height: u32,
    /// The column and the row at which a block of the grid starts, 0 to 7.
    pub horizontal: u8,
    pub vertical: u8,
    /// How rarely such a part occurs by chance: the tenfold of the negative decimal logarithm of the expected number in
    /// one picture.
    pub evidence: u32,
}

/// A part of a picture that is the same as another part, also in its noise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CopiedPart {
    /// Which of the two is the copy is unknown.
    pub part: Part,
    pub other: Part,
    /// As in [`GridPart::evidence`].
    pub evidence: u32,
}

/// In pixels before any EXIF orientation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    pub left: u32,
    pub top: u32,
    pub width: u32,
    pub height: u32,
}

/// The mean change of brightness (in hundredths of a step) in each region of the picture when it is compressed again at
/// quality 90.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ErrorLevel {
    pub columns: u32,
    pub rows: u32,
    /// The side of a square region in pixels, a multiple of 8; those at the right and lower edge can be smaller.
    pub region: u32,
    /// Row by row.
    pub values: Vec<u32>,
    pub median: u32,
    /// The 95th percentile.
    pub high: u32,
}

/// Typical properties of a picture of a screen or of a print.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecaptureFacts {
    /// The strongest peaks of the brightness spectrum outside of its centre and axes, strongest first, at most 5.
    pub peaks: Vec<SpectrumPeak>,
    /// The most prominent regular pattern in each of up to nine windows of 256 by 256 pixels, row by row.
    #[serde(default)]
    pub patterns: Vec<Pattern>,
    /// Energy of the upper half of the frequencies in hundredths of a percent of all but the mean.
    pub high_frequency_energy: u32,
    /// Bright and colourless pixels that are much brighter than their surroundings, in hundredths of a percent.
    pub specular: u32,
    /// The number of different brightness values that at least one pixel in 10,000 has (1 to 256): prints and screens have fewer.
    pub brightness_range: u32,
    /// Mean saturation, 0 to 255, in hundredths.
    pub saturation: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SpectrumPeak {
    /// Cycles over a window of 256 pixels, -128 to 127 and 0 to 127.
    pub horizontal: i32,
    pub vertical: i32,
    /// How many times stronger than the median of frequencies at the same distance from the centre, in tenths.
    pub strength: u32,
}

/// A spot in a window's spectrum that stands out from its surroundings in every direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pattern {
    /// Cycles over the window, -128 to 127 and 0 to 127.
    pub horizontal: i32,
    pub vertical: i32,
    /// How many times stronger than its surroundings, in tenths.
    pub prominence: u32,
    /// How strong it is in the difference of red and blue, in hundredths of its strength in brightness: dots of several
    /// colours side by side are strong there. 0 for a picture without colours.
    pub colour: u32,
}
