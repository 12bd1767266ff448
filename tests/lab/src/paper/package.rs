//! Packages: papers of one person, employer and bank that belong to one case, coherent or with one contradiction, with
//! what the person entered. They are for tuning the signal `consistency`, and are PDF files with their text.

mod content;
mod facts;
mod story;

use serde_json::{Value, json};

use self::facts::Facts;
use super::{
    content::Writer,
    form::{Form, Language, Notation},
    holder::TODAY,
    layout::{LAYOUTS, Layout},
    pdf::{Information, PRODUCERS},
    sign_off,
    typeface::Family,
};
use crate::random::Random;

pub use self::story::STORIES;

/// The files of a package, and its entry in `packages.json`.
pub struct Package {
    /// Name in the package and content of each file.
    pub files: Vec<(String, Vec<u8>)>,
    pub label: Value,
}

/// Makes the `index`th package of a set that starts with `seed`: the stories alternate.
///
/// # Errors
/// If a paper cannot be written, which is a bug in the lab.
pub fn package(seed: u64, index: u64) -> anyhow::Result<Package> {
    let story = STORIES[usize::try_from(index % STORIES.len() as u64).unwrap_or(0)];
    let seed = seed.wrapping_add(index);
    let mut random = Random::new(seed, "package");
    let language = if random.whole(0, 2) > 0 { Language::French } else { Language::English };
    let notation = Notation::new(language, &mut random);
    let facts = Facts::invented(language, &mut random);
    let mut content = Random::new(seed, "package content");
    let mut writer = Writer { language, notation, holder: facts.holder.clone(), random: &mut content, judging: false };
    let (drafts, entries) = story::tell(story, &facts, &mut writer);
    let id = format!("{index:05}");
    let mut files = Vec::new();
    let mut documents = Vec::new();
    for draft in drafts {
        let file = format!("{id}/{}.pdf", draft.name);
        documents.push(json!({ "file": file, "type": draft.kind }));
        files.push((file, pdf(&draft.form, language, &mut random)?));
    }
    let entries: Vec<Value> = entries
        .into_iter()
        .map(|(title, field, value)| json!({ "title": title, "field": field, "value": value }))
        .collect();
    let class = if story.is_coherent() { "coherent" } else { "contradictory" };
    let label = json!({ "id": id, "class": class, "kind": story.name(), "entries": entries, "documents": documents });
    Ok(Package { files, label })
}

/// The day on which the packages are received.
pub fn reference_date() -> String {
    TODAY.to_string()
}

fn pdf(form: &Form, language: Language, random: &mut Random) -> anyhow::Result<Vec<u8>> {
    let producer = random.pick(&PRODUCERS.iter().collect::<Vec<_>>());
    let family = random.pick(&[Family::SANS, Family::SERIF]);
    let layout = Layout::new(random.whole(0, LAYOUTS - 1), family, random);
    let mut sheets = layout.set(form);
    sign_off(&mut sheets, language);
    let title = form.titles.first().cloned().unwrap_or_default();
    let created = TODAY.at(9, 30, 0, 0);
    let information = Information { title, created, modified: None, rewritten_by: None, xmp_disagrees: false };
    super::pdf::write(&sheets, producer, &information)
}
