//! Text recognition by Tesseract, a separate program that is killed if it takes too long. It is optional: without it,
//! the facts list the pages that were not read.
//!
//! A page is read once, in one language; a second time only if the first reading is doubtful, or shows another language.

mod askew;
mod inked;
mod language;
mod lines;
mod paper;
mod program;
mod reader;
mod reread;
mod rules;
mod strip;
mod unread;

use serde::{Deserialize, Serialize};

pub use language::{LANGUAGES, Language};
pub(crate) use paper::is_evenly_lit;
pub use program::Tesseract;
pub(crate) use reader::{Failure, PageReading, Reader, Surface};

/// What was read, and what was not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OcrFacts {
    pub state: OcrState,
    /// In which pages were read, as Tesseract names them: `eng`, `fra`.
    pub languages: Vec<String>,
    /// Pages (from 1) that were read.
    pub recognised: Vec<u32>,
    /// Pages whose text is in a picture, or that show no text, and that were not read.
    pub unread: Vec<u32>,
    /// The languages of the pages that were read, as far as their words show it. Facts of earlier versions have none.
    #[serde(default)]
    pub page_languages: Vec<PageLanguage>,
}

/// The language that a page seems to be in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageLanguage {
    /// From 1.
    pub page: u32,
    /// In English: `German`; for a script that is not read, its name: `Cyrillic script`.
    pub language: String,
    /// Whether the page was read in this language. Otherwise its text is probably wrong.
    pub covered: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum OcrState {
    /// All text is the file's own, or recognition was not requested.
    NotNeeded,
    /// It was needed but is not installed.
    Unavailable,
    Ran,
    /// Some page took too long.
    TimedOut,
    /// The program failed on some page, or a page could not be drawn.
    Failed,
}

impl OcrFacts {
    /// Of a file whose pictures need not be read.
    pub const fn not_needed() -> Self {
        Self {
            state: OcrState::NotNeeded,
            languages: Vec::new(),
            recognised: Vec::new(),
            unread: Vec::new(),
            page_languages: Vec::new(),
        }
    }
}
