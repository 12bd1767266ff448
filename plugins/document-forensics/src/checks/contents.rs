//! Pages whose content was written again by a library for changing it. Such a library puts every operator on a line of
//! its own, and spaces into arrays, which programs that lay out text do not. Programs that only join, turn, encrypt or
//! compress a file leave the content as it was.

use sealwright_plugin_sdk::{
    facts::{Measure, PropertySource, TextSource},
    findings::found,
};

use crate::{
    report::{Sign, sign},
    subject::Subject,
    values::{Worth, worth},
};

/// Fewer operators show nothing.
const FEW: i64 = 20;
/// So many arrays show how a program writes them.
const ARRAYS: i64 = 4;
/// Programs that write content in this manner under their own name.
const HONEST: [&str; 8] = ["pypdf", "ocrmypdf", "pikepdf", "quartz", "pdfbox", "pdfsam", "qpdf", "ghostscript"];
/// Programs that write several operators on a line, or an operator right behind a string.
const OTHERWISE: [&str; 9] =
    ["fpdf", "itext", "libreoffice", "openpdf", "pdftex", "reportlab", "skia/pdf", "tcpdf", "wkhtmltopdf"];

pub(crate) fn sign_of(subject: &Subject<'_>) -> Option<Sign> {
    let document = subject.document;
    let properties = document.all_properties();
    let info = || properties.iter().filter(|property| property.source == PropertySource::PdfInfo);
    let is_by = |names: &[&str]| {
        info().any(|property| names.iter().any(|program| property.value.to_lowercase().contains(program)))
    };
    if is_by(&HONEST) {
        return None;
    }
    let is_named = info().any(|property| property.name == "Producer" && !property.value.trim().is_empty());
    let without_arrays = match () {
        () if is_by(&OTHERWISE) => 12.0,
        // Of 292 real files, 3 are by a program that writes like this, and 5 do not name theirs.
        () if is_named => 7.0,
        () => 3.0,
    };
    let measures = document.all_measures();
    document.page_numbers().find_map(|page| {
        let decibans = written_again(&measures, page, without_arrays)?;
        // The recognised text of a scan is added in this manner.
        let states_values = document
            .all_text_runs(page)
            .iter()
            .any(|run| run.source == TextSource::Layer && run.hidden.is_none() && worth(&run.text) == Worth::Figure);
        let text = "The content of a page was written again by a program for changing it.";
        states_values.then(|| sign(decibans, found("CONTENT_REWRITTEN", text).at(page, None)))
    })
}

/// What the manner in which a page is written is worth; `without_arrays` if no array shows it.
fn written_again(measures: &[Measure], page: u32, without_arrays: f64) -> Option<f64> {
    let value = |name: &str| {
        measures.iter().find(|measure| measure.at == page && measure.name == name).map_or(0, |measure| measure.value)
    };
    let operators = value("content-operators");
    let (in_lines, glued) = (value("content-operators-at-line-end"), value("content-operators-glued"));
    let (arrays, spaced) = (value("content-arrays"), value("content-arrays-spaced"));
    if operators < FEW || in_lines * 100 < operators * 98 || glued > 0 || spaced != arrays {
        return None;
    }
    Some(if arrays >= ARRAYS { 12.0 } else { without_arrays })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measures(values: [i64; 5]) -> Vec<Measure> {
        let names = ["operators", "operators-at-line-end", "operators-glued", "arrays", "arrays-spaced"];
        let counts = names.iter().zip(values);
        counts.map(|(name, value)| Measure { name: format!("content-{name}"), at: 1, value, area: None }).collect()
    }

    #[test]
    fn content_is_written_again_if_every_operator_has_a_line_and_arrays_have_spaces() {
        assert_eq!(written_again(&measures([200, 200, 0, 20, 20]), 1, 7.0), Some(12.0));
        assert_eq!(written_again(&measures([200, 199, 0, 0, 0]), 1, 7.0), Some(7.0));
        for values in [[200, 200, 0, 20, 0], [200, 100, 0, 20, 20], [200, 200, 30, 0, 0], [9, 9, 0, 4, 4]] {
            assert_eq!(written_again(&measures(values), 1, 7.0), None, "{values:?}");
        }
        assert_eq!(written_again(&measures([200, 200, 0, 20, 20]), 2, 7.0), None);
    }
}
