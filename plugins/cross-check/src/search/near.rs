//! Values that are nearly the entered one.

use sealwright_plugin_sdk::reading::text::squeeze;

use super::{Pages, Word, alike::same_letters};
use crate::{
    compare::{as_seen, distance, likeness},
    labelled::is_recognised,
};

impl Pages<'_> {
    /// Whether recognised text is like the value, at least so far in percent: it is probably there, and was not read well.
    pub(crate) fn is_partly_read(&self, entered: &str, least: u8) -> bool {
        let meant = as_seen(&squeeze(entered));
        let length = meant.chars().count();
        let words = |run: &&Vec<Word>| run.first().is_some_and(|word| is_recognised(&self.cells[word.cell]));
        self.runs.iter().filter(words).any(|run| {
            (0..run.len()).any(|start| {
                let mut joined = String::new();
                run[start..].iter().any(|word| {
                    joined.push_str(&word.folded);
                    let letters = joined.chars().count();
                    letters * 2 >= length
                        && letters <= length * 2
                        && same_letters(&joined, &meant) * 2 >= length
                        && likeness(&as_seen(&joined), &meant) >= least
                })
            })
        })
    }

    /// A value that is nearly the entered one, on a page that was read surely: what the document states instead.
    pub(crate) fn near(&self, entered: &str) -> Option<(String, usize)> {
        let wanted = squeeze(entered);
        let length = wanted.chars().count();
        // Short words are nearly many others: "Marc" and "Mars".
        let most = match length {
            0..6 => return None,
            6..10 => 1,
            _ => 2,
        };
        for run in &self.runs {
            for start in (0..run.len()).filter(|start| !self.recognised(run[*start].cell)) {
                let mut joined = String::new();
                for word in &run[start..] {
                    joined.push_str(&word.folded);
                    let letters = joined.chars().count();
                    if letters > length + most {
                        break;
                    }
                    // The first letters differ rarely, and comparing all words takes long.
                    let is_alike = letters + most >= length && same_letters(&joined, &wanted) + most >= length;
                    if is_alike && distance(&joined, &wanted) <= most {
                        return Some((joined, run[start].cell));
                    }
                }
            }
        }
        None
    }
}
