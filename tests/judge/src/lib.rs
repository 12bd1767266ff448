//! Judges the built-in analysis plugins: makes labelled papers and photographs (`sealwright-lab`), reads their facts
//! (`sealwright-facts`), passes them to the plugins' native code as the server does, and compares the results with the
//! labels. Folders of labelled documents by other makers are judged in the same way ([`Corpus`]), and so are packages of
//! documents of one case ([`Packages`]). The resulting tables are
//! in `docs/judging.md`.

mod case;
mod corpus;
mod package;
mod paper;
mod photo;
mod rate;
mod table;

pub use case::{CaseVerdict, judge_case};
pub use corpus::{Corpus, JudgedDocument, corpus_tables, signs_line, wrong_judgements};
pub use package::{JudgedPackage, Packages, judge_package, package_tables};
pub use paper::{ComparedField, JudgedCheck, Judgement, PaperVerdict, judge_file, judge_paper};
pub use photo::{PhotoVerdict, judge_photo, judge_photo_file};
pub use table::{case_table, paper_tables, photo_table};

/// An analysis raises an alarm from this suspicion on (decisions 13: MEDIUM).
pub const ALARM: u8 = 30;
/// The signal `consistency` of a package of papers raises an alarm below this score (spec 2.6: SUSPICIOUS).
pub const CONSISTENCY_ALARM: u8 = 70;
/// The image signal of a photograph raises an alarm below this score (spec 2.6: SUSPICIOUS).
pub const PHOTO_ALARM: u8 = 70;
