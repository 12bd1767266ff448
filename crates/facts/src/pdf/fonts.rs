//! The fonts that pages name.

use std::collections::{BTreeSet, HashMap};

use hayro::{
    hayro_interpret::CacheKey as _,
    hayro_syntax::{
        object::{Array, Dict, Name, Object, Stream},
        page::{Page, Resources},
    },
};

use super::{
    glyphs::{DrawnGlyphs, mapped_characters},
    model::Font,
    structure::Structure,
};
use crate::{Limits, model::Limited, text};

/// The key of the Type 3 font if there is only one. A dictionary has this key only by chance.
pub(super) const ONLY_TYPE3: u128 = 3;
/// The depth of forms inside forms.
const MAX_DEPTH: u32 = 6;
/// The most forms that are read on one page.
const MAX_FORMS: u32 = 500;

/// The document's fonts, and their indices by the library's key of their dictionary.
#[derive(Debug, Default)]
pub(super) struct Fonts {
    pub(super) list: Vec<Font>,
    pub(super) by_key: HashMap<u128, u32>,
    /// By font: the characters that it maps codes to.
    mapped: Vec<Vec<String>>,
    type3: u32,
}

impl Fonts {
    /// Collects the fonts that a page and the forms on it name.
    pub(super) fn collect(
        &mut self,
        page: &Page,
        structure: &Structure,
        limits: &Limits,
        limited: &mut BTreeSet<Limited>,
    ) {
        let mut walk = Walk { fonts: self, structure, limits, limited, seen: BTreeSet::new(), forms: 0 };
        let mut resources = Some(page.resources());
        while let Some(current) = resources {
            walk.resources(current);
            resources = current.parent();
        }
        if let Some(annotations) = page.raw().get::<Array>("Annots") {
            for annotation in annotations.iter::<Dict>().take(limits.max_listed as usize) {
                let appearance = annotation.get::<Dict>("AP").and_then(|appearance| appearance.get::<Stream>("N"));
                if let Some(form) = appearance {
                    walk.form(form.dict(), 0);
                }
            }
        }
        if self.type3 == 1 {
            let index = self.list.iter().position(|font| font.kind == "Type3");
            self.by_key.extend(index.map(|index| (ONLY_TYPE3, text::count(index))));
        } else {
            self.by_key.remove(&ONLY_TYPE3);
        }
    }

    /// Notes which glyphs the document draws.
    pub(super) fn note_usage(&mut self, drawn: &DrawnGlyphs) {
        for ((index, font), mapped) in (0..).zip(&mut self.list).zip(&self.mapped) {
            font.usage = drawn.usage(index, mapped);
        }
    }
}

struct Walk<'w> {
    fonts: &'w mut Fonts,
    structure: &'w Structure,
    limits: &'w Limits,
    limited: &'w mut BTreeSet<Limited>,
    /// Objects that were looked into.
    seen: BTreeSet<i32>,
    forms: u32,
}

impl Walk<'_> {
    fn resources(&mut self, resources: &Resources) {
        self.fonts_of(&resources.fonts);
        self.forms_of(&resources.x_objects, 0);
    }

    fn fonts_of(&mut self, fonts: &Dict) {
        for key in fonts.keys() {
            let Some(dictionary) = fonts.get::<Dict>(&key) else { continue };
            let key = dictionary.cache_key();
            if self.fonts.by_key.contains_key(&key) {
                continue;
            }
            if self.fonts.list.len() >= self.limits.max_listed as usize {
                self.limited.insert(Limited::Objects);
                return;
            }
            let font = describe(&dictionary, self.structure);
            self.fonts.type3 += u32::from(font.kind == "Type3");
            self.fonts.by_key.insert(key, text::count(self.fonts.list.len()));
            self.fonts.list.push(font);
            self.fonts.mapped.push(mapped_characters(&dictionary));
        }
    }

    fn forms_of(&mut self, objects: &Dict, depth: u32) {
        for key in objects.keys() {
            let is_new = objects.get_ref(&key).is_none_or(|reference| self.seen.insert(reference.obj_number));
            if is_new && let Some(stream) = objects.get::<Stream>(&key) {
                self.form(stream.dict(), depth);
            }
        }
    }

    fn form(&mut self, form: &Dict, depth: u32) {
        self.forms += 1;
        if depth > MAX_DEPTH || self.forms > MAX_FORMS {
            return;
        }
        let Some(resources) = form.get::<Dict>("Resources") else { return };
        if let Some(fonts) = resources.get::<Dict>("Font") {
            self.fonts_of(&fonts);
        }
        if let Some(objects) = resources.get::<Dict>("XObject") {
            self.forms_of(&objects, depth + 1);
        }
    }
}

fn describe(dictionary: &Dict, structure: &Structure) -> Font {
    let name = |dictionary: &Dict, key: &str| Some(dictionary.get::<Name>(key)?.as_str().to_owned());
    let kind = name(dictionary, "Subtype").unwrap_or_default();
    // A Type 0 font keeps its program in its descendant.
    let descendant = dictionary.get::<Array>("DescendantFonts").and_then(|fonts| fonts.iter::<Dict>().next());
    let holder = descendant.as_ref().unwrap_or(dictionary);
    let descriptor = holder.get::<Dict>("FontDescriptor");
    let has_program =
        |descriptor: &Dict| ["FontFile", "FontFile2", "FontFile3"].iter().any(|key| descriptor.contains_key(key));
    let full = name(dictionary, "BaseFont").or_else(|| name(dictionary, "Name")).unwrap_or_default();
    let (subset_tag, plain) = match full.split_once('+') {
        Some((tag, rest)) if tag.len() == 6 && tag.bytes().all(|byte| byte.is_ascii_uppercase()) => {
            (Some(tag.to_owned()), rest)
        }
        _ => (None, full.as_str()),
    };
    let object = dictionary.obj_id().and_then(|id| u32::try_from(id.obj_number).ok()).unwrap_or(0);
    let encoding = match dictionary.get::<Object>("Encoding") {
        Some(Object::Name(name)) => Some(name.as_str().to_owned()),
        Some(Object::Dict(encoding)) => {
            Some(name(&encoding, "BaseEncoding").unwrap_or_else(|| "Differences".to_owned()))
        }
        Some(Object::Stream(_)) => Some("CMap".to_owned()),
        _ => None,
    };
    Font {
        name: text::one_line(plain, 128).unwrap_or_default(),
        subset_tag,
        embedded: kind == "Type3" || descriptor.as_ref().is_some_and(has_program),
        kind,
        encoding: encoding.and_then(|encoding| text::one_line(&encoding, 64)),
        to_unicode: dictionary.contains_key("ToUnicode"),
        object,
        revision: structure.revision_of(object),
        pages: Vec::new(),
        usage: None,
    }
}
