//! Judges the built-in analysis plugins: makes labelled papers and photographs (`sealwright-lab`), reads their facts
//! (`sealwright-facts`), passes them to the plugins' native code as the server does, and compares the results with the
//! labels. The resulting table is in `docs/judging.md`.

mod case;
mod paper;
mod photo;
mod plugins;
mod table;

// The server's own module names them so.
use sealwright_base::clock;
use sealwright_domain as domain;

mod app {
    pub(crate) mod analysis {
        use bytes::Bytes;
        use sealwright_facts::{Facts, image::ImageFacts};
        use sealwright_plugin_sdk::facts as native;

        use crate::{clock::Timestamp, domain::file_kind::FileKind};

        /// The server's own module, included by `build.rs`.
        pub(crate) mod facts {
            include!(concat!(env!("OUT_DIR"), "/facts.rs"));
        }

        /// A document as the server passes it to a plugin, without its digest, which no judged plugin uses.
        pub(crate) fn document(seen: &Facts, file: Vec<u8>, received_at: Timestamp) -> native::Document {
            let kind = FileKind::of(&file).unwrap_or(FileKind::Pdf);
            facts::document(seen, kind, Bytes::from(file), [0; 32], received_at).into_native()
        }

        /// A photograph as the server passes it to a plugin.
        pub(crate) fn photo(seen: &ImageFacts) -> native::Image {
            facts::image_of_file(seen, None).to_native()
        }
    }
}

pub use case::{CaseVerdict, judge_case};
pub use paper::{ComparedField, PaperVerdict, judge_file, judge_paper};
pub use photo::{PhotoVerdict, judge_photo, judge_photo_file};
pub use table::{case_table, paper_tables, photo_table};

/// An analysis raises an alarm from this suspicion on (decisions 13: MEDIUM).
pub const ALARM: u8 = 30;
/// The image signal of a photograph raises an alarm below this score (spec 2.6: SUSPICIOUS).
pub const PHOTO_ALARM: u8 = 70;
