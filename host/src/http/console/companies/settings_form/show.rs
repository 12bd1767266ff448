//! Shows the settings of a plugin as fields.

use maud::{Markup, html};
use serde_json::Value;

use super::{Choice, Element, Group, Kind, NumberRules, Part, Setting, TextRules, json_of, list_of, scalar};
use crate::{
    app::console::company::SettingProblem,
    domain::console::FormProblem,
    http::{
        console::{form::Form, layout, problem::Wrong},
        link::Language,
    },
};

/// How the settings of a plugin are shown.
pub(in crate::http::console::companies) struct Shown<'a> {
    /// The plugin, as the form names it.
    pub(in crate::http::console::companies) plugin: &'a str,
    /// The name that people read.
    pub(in crate::http::console::companies) name: &'a str,
    pub(in crate::http::console::companies) language: Language,
    /// A form that was not accepted: its values are shown again.
    pub(in crate::http::console::companies) sent: Option<&'a Form>,
    pub(in crate::http::console::companies) problems: Vec<&'a SettingProblem>,
}

impl Setting {
    /// The settings in a frame of their own.
    pub(in crate::http::console::companies) fn show(&self, shown: &Shown<'_>) -> Markup {
        let sheet = Sheet { all: self, shown };
        let legend = html! { (shown.language.pick("Settings of ", "Réglages de ")) (shown.name) };
        if let Kind::Group(group) = &self.kind {
            return sheet.group(self, group, &legend);
        }
        html! { fieldset.step { legend { (legend) } (sheet.field(self)) } }
    }
}

/// The page of the settings while it is written.
struct Sheet<'a> {
    all: &'a Setting,
    shown: &'a Shown<'a>,
}

/// The texts and identifiers of a field.
struct Field {
    name: String,
    id: String,
    /// What was entered, or else what is stored.
    text: String,
    /// The identifiers of what describes it.
    described_by: Option<String>,
    is_wrong: bool,
    is_required: bool,
}

impl Sheet<'_> {
    fn group(&self, setting: &Setting, group: &Group, legend: &Markup) -> Markup {
        let id = Part::Value.field(self.shown.plugin, &setting.path);
        let problems = self.problems(setting);
        let is_described = setting.description.is_some();
        let hint = format!("hint-{id}");
        html! {
            fieldset.step aria-describedby=[is_described.then_some(hint.as_str())] {
                legend { (legend) }
                @if is_described { p.small id=(hint) { (self.hint(setting)) } }
                @if !group.has_others { (alerts(&format!("problem-{id}"), &problems)) }
                @for setting in &group.settings { (self.setting(setting)) }
                @if group.has_others { (self.others(setting, group, &problems)) }
            }
        }
    }

    fn setting(&self, setting: &Setting) -> Markup {
        match &setting.kind {
            Kind::Group(group) => self.group(setting, group, &self.label(setting)),
            Kind::Switch => self.switch(setting),
            _ => self.field(setting),
        }
    }

    /// A label, what is wrong, the field, and a hint.
    fn field(&self, setting: &Setting) -> Markup {
        let problems = self.problems(setting);
        let field = self.texts(setting, !problems.is_empty());
        let input = match &setting.kind {
            Kind::Text(rules) if !rules.has_lines => line(&field, rules),
            Kind::Secret => secret(&field),
            Kind::Choice(choices) => choice(&field, choices),
            Kind::Number(rules) => number(&field, rules),
            Kind::Text(_) | Kind::Switch | Kind::Group(_) | Kind::Lines(_) | Kind::Json { .. } => area(&field, setting),
        };
        html! {
            label for=(field.id) { (self.label(setting)) }
            (alerts(&format!("problem-{}", field.name), &problems))
            (input)
            @if has_hint(setting) { p.small id={ "hint-" (field.name) } { (self.hint(setting)) } }
        }
    }

    fn switch(&self, setting: &Setting) -> Markup {
        let problems = self.problems(setting);
        let field = self.texts(setting, !problems.is_empty());
        let shown = Part::Shown.field(self.shown.plugin, &setting.path);
        let is_on = match self.shown.sent.filter(|sent| sent.is_ticked(&shown)) {
            Some(sent) => sent.is_ticked(&field.name),
            None => setting.is_on(),
        };
        html! {
            input type="hidden" name=(shown) value=(if setting.is_on() { "on" } else { "off" });
            label.box {
                input id=(field.id) type="checkbox" name=(field.name) checked[is_on]
                    aria-invalid=[field.is_wrong.then_some("true")] aria-describedby=[field.described_by.as_deref()];
                span { (self.label(setting)) }
            }
            (alerts(&format!("problem-{}", field.name), &problems))
            @if has_hint(setting) { p.small id={ "hint-" (field.name) } { (self.hint(setting)) } }
        }
    }

    /// The settings that have no field of their own.
    fn others(&self, setting: &Setting, group: &Group, problems: &[Wrong]) -> Markup {
        let name = Part::Others.field(self.shown.plugin, &setting.path);
        let (id, problem) = (format!("id-{name}"), format!("problem-{name}"));
        let stored = json_of(&group.others(&setting.object()));
        let text = self.shown.sent.and_then(|sent| sent.all(&name).next().map(str::to_owned)).unwrap_or(stored);
        let is_wrong = !problems.is_empty();
        html! {
            label for=(id) { (self.shown.language.pick("Other settings (JSON)", "Autres réglages (JSON)")) }
            (alerts(&problem, problems))
            textarea id=(id) name=(name) rows="3" spellcheck="false" aria-invalid=[is_wrong.then_some("true")]
                aria-describedby=[is_wrong.then_some(problem.as_str())] { (first_line(&text)) (text) }
        }
    }

    fn texts(&self, setting: &Setting, is_wrong: bool) -> Field {
        let name = Part::Value.field(self.shown.plugin, &setting.path);
        let sent = self.shown.sent.filter(|_| !setting.is_hidden());
        let sent = sent.and_then(|sent| sent.all(&name).next().map(|text| text.replace("\r\n", "\n")));
        let problem = is_wrong.then(|| format!("problem-{name}"));
        let hint = has_hint(setting).then(|| format!("hint-{name}"));
        let described_by: Vec<String> = problem.into_iter().chain(hint).collect();
        Field {
            id: format!("id-{name}"),
            text: sent.unwrap_or_else(|| setting.text()),
            described_by: (!described_by.is_empty()).then(|| described_by.join(" ")),
            is_wrong,
            is_required: setting.is_required && !setting.path.is_empty(),
            name,
        }
    }

    fn label(&self, setting: &Setting) -> Markup {
        let language = self.shown.language;
        let is_all = setting.path.is_empty();
        let is_json = matches!(setting.kind, Kind::Json { .. });
        html! {
            @if let Some(title) = &setting.title { span lang="en" { (shortened(title, 200)) } " " }
            @if is_all { (language.pick("Settings", "Réglages")) } @else { code { (shortened(setting.name(), 200)) } }
            @if is_json { " (JSON)" }
            @if setting.is_required && !is_all { (language.pick(" (required)", " (obligatoire)")) }
        }
    }

    fn hint(&self, setting: &Setting) -> Markup {
        let language = self.shown.language;
        html! {
            @if let Some(description) = &setting.description { span lang="en" { (shortened(description, 1000)) } " " }
            @if setting.is_hidden() {
                (language.pick("Not shown. Empty: as it is.", "Non affiché. Vide\u{a0}: inchangé."))
            }
            @if has_pattern(setting) {
                (language.pick("It must have a certain form.", "Une forme précise est exigée."))
            }
            @if let Kind::Lines(element) = &setting.kind {
                (language.pick("One on each line.", "Un par ligne."))
                @if let Element::Choice(choices) = element {
                    " " (language.pick("Allowed: ", "Permis\u{a0}: ")) (list_of(choices)) "."
                }
            }
            @if let Some(default) = default_text(setting) {
                " " (language.pick("Without a value: ", "Sans valeur\u{a0}: ")) code { (default) } "."
            }
        }
    }

    /// What is wrong with the setting, and with what in it has no field.
    fn problems(&self, setting: &Setting) -> Vec<Wrong> {
        let here = self.shown.problems.iter().filter(|problem| self.all.place(&problem.path) == setting.path);
        let wrong = here.map(|problem| {
            let name = if problem.path.is_empty() { self.shown.name.to_owned() } else { problem.path.join(".") };
            let problem = FormProblem::Setting { name: shortened(&name, 200), fault: problem.fault.clone() };
            Wrong::of(problem, self.shown.language)
        });
        wrong.take(MOST_PROBLEMS).collect()
    }
}

/// The most problems that are shown at one field.
const MOST_PROBLEMS: usize = 5;

fn alerts(id: &str, problems: &[Wrong]) -> Markup {
    html! {
        @if !problems.is_empty() {
            div id=(id) { @for wrong in problems { (layout::alert(wrong)) } }
        }
    }
}

// No field has the attribute `required`: the plugin may not be chosen, and then nothing is needed.

fn line(field: &Field, rules: &TextRules) -> Markup {
    html! {
        input id=(field.id) name=(field.name) type=(rules.input) value=(field.text) maxlength=[rules.most]
            pattern=[rules.pattern.as_deref()] aria-required=[field.is_required.then_some("true")]
            aria-invalid=[field.is_wrong.then_some("true")] aria-describedby=[field.described_by.as_deref()];
    }
}

fn secret(field: &Field) -> Markup {
    html! {
        input id=(field.id) name=(field.name) type="password" autocomplete="off"
            aria-required=[field.is_required.then_some("true")]
            aria-invalid=[field.is_wrong.then_some("true")] aria-describedby=[field.described_by.as_deref()];
    }
}

fn number(field: &Field, rules: &NumberRules) -> Markup {
    html! {
        input id=(field.id) name=(field.name) type="number" value=(field.text) min=[rules.least.as_deref()]
            max=[rules.most.as_deref()] step=(rules.step) aria-required=[field.is_required.then_some("true")]
            aria-invalid=[field.is_wrong.then_some("true")] aria-describedby=[field.described_by.as_deref()];
    }
}

fn choice(field: &Field, choices: &[Choice]) -> Markup {
    html! {
        select id=(field.id) name=(field.name) aria-required=[field.is_required.then_some("true")]
            aria-invalid=[field.is_wrong.then_some("true")] aria-describedby=[field.described_by.as_deref()] {
            option value="" selected[field.text.is_empty()] { "–" }
            @for choice in choices {
                option value=(choice.text) selected[choice.text == field.text] { (shortened(&choice.text, 200)) }
            }
        }
    }
}

fn area(field: &Field, setting: &Setting) -> Markup {
    let most = match &setting.kind {
        Kind::Text(rules) => rules.most,
        _ => None,
    };
    html! {
        textarea id=(field.id) name=(field.name) rows="4" spellcheck="false" maxlength=[most]
            aria-required=[field.is_required.then_some("true")] aria-invalid=[field.is_wrong.then_some("true")]
            aria-describedby=[field.described_by.as_deref()] { (first_line(&field.text)) (field.text) }
    }
}

/// A browser drops a line break at the beginning of a text area.
fn first_line(text: &str) -> &'static str {
    if text.starts_with('\n') || text.starts_with('\r') { "\n" } else { "" }
}

fn has_hint(setting: &Setting) -> bool {
    setting.is_hidden()
        || matches!(setting.kind, Kind::Lines(_))
        || has_pattern(setting)
        || setting.description.is_some()
        || default_text(setting).is_some()
}

const fn has_pattern(setting: &Setting) -> bool {
    matches!(setting.kind, Kind::Text(TextRules { pattern: Some(_), .. }))
}

/// The value that counts if none is set.
fn default_text(setting: &Setting) -> Option<String> {
    let default = setting.default.as_ref().filter(|_| !setting.is_hidden())?;
    let text = match default {
        Value::Array(elements) if matches!(setting.kind, Kind::Lines(_)) => {
            elements.iter().map(scalar).collect::<Vec<_>>().join(", ")
        }
        default => scalar(default),
    };
    (!text.is_empty()).then(|| shortened(&text, 200))
}

/// At most this many characters: a schema may have much longer texts.
fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}
