//! The label of a paper, written as JSON next to it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Forgery, holder::Holder, sheet::Sheet};

/// The ground truth of a paper.
#[derive(Clone, Debug)]
pub struct PaperLabel {
    pub seed: u64,
    /// The type, `UNKNOWN` for an unreadable paper.
    pub kind: &'static str,
    /// `fr` or `en`.
    pub language: &'static str,
    pub layout: u64,
    /// The program that wrote it, or the imitated one.
    pub producer: &'static str,
    /// `clean`, `scan`, `photo` or `unreadable`.
    pub quality: &'static str,
    pub forgery: Option<Forgery>,
    /// By code: the values on the paper before it was forged.
    pub fields: BTreeMap<&'static str, FieldLabel>,
}

/// A value on a paper.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldLabel {
    pub value: String,
    /// From 1.
    pub page: u32,
    /// Left, top, width, height in points from the page's upper left corner, as printed: a scan may be rotated.
    pub area: [f32; 4],
}

impl PaperLabel {
    /// The label as written to `labels.json`.
    pub fn to_json(&self, file: &str) -> Value {
        let fields: serde_json::Map<_, _> = self
            .fields
            .iter()
            .map(|(code, field)| {
                ((*code).to_owned(), json!({ "value": field.value, "page": field.page, "area": field.area }))
            })
            .collect();
        json!({
            "file": file,
            "seed": self.seed,
            "type": self.kind,
            "language": self.language,
            "layout": self.layout,
            "producer": self.producer,
            "quality": self.quality,
            "forgery": self.forgery.map(|forgery| json!({ "name": forgery.name(), "check": forgery.check() })),
            "fields": fields,
        })
    }
}

/// The fields of a paper. A name or a town in one line is several fields in one place.
pub(super) fn fields(sheets: &[Sheet], holder: &Holder) -> BTreeMap<&'static str, FieldLabel> {
    let mut fields = BTreeMap::new();
    for (index, sheet) in sheets.iter().enumerate() {
        for run in sheet.runs() {
            let Some(code) = run.field else { continue };
            let area = run.area();
            let mut put = |code: &'static str, value: &str| {
                let label = FieldLabel {
                    value: value.to_owned(),
                    page: u32::try_from(index).unwrap_or(0) + 1,
                    area: [area.x, area.y, area.width, area.height],
                };
                fields.entry(code).or_insert(label);
            };
            match code {
                "fullName" => {
                    put("lastName", &holder.last_name);
                    put("firstName", &holder.first_name);
                }
                "town" => {
                    put("postCode", &holder.post_code);
                    put("city", &holder.city);
                }
                code => put(code, &run.text),
            }
        }
    }
    fields
}
