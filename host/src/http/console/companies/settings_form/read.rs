//! Reads the settings of a plugin from a form.

use serde_json::{Map, Number, Value};

use super::{Choice, Element, Group, Kind, Part, Setting, json_of};
use crate::{app::console::company::SettingProblem, domain::console::SettingFault, http::console::form::Form};

/// What a form does with a setting.
#[derive(Debug, PartialEq)]
enum Change {
    Keep,
    Remove,
    Set(Value),
}

/// The form, and the plugin whose settings are read from it.
struct Sent<'a> {
    form: &'a Form,
    plugin: &'a str,
}

impl Sent<'_> {
    /// The text of a field; none if the form does not have it. Browsers end lines in their own way.
    fn text(&self, part: Part, path: &[String]) -> Option<String> {
        let name = part.field(self.plugin, path);
        let text = self.form.all(&name).next()?;
        Some(text.replace("\r\n", "\n"))
    }
}

impl Setting {
    /// The settings as the form has them; those that are not in the form, or are wrong, stay as they are.
    pub(in crate::http::console::companies) fn read(
        &self,
        form: &Form,
        plugin: &str,
        problems: &mut Vec<SettingProblem>,
    ) -> Map<String, Value> {
        match self.change(&Sent { form, plugin }, problems) {
            Change::Set(Value::Object(settings)) => settings,
            Change::Remove => Map::new(),
            Change::Keep | Change::Set(_) => self.object(),
        }
    }

    fn change(&self, sent: &Sent<'_>, problems: &mut Vec<SettingProblem>) -> Change {
        match &self.kind {
            Kind::Group(group) => self.change_of_group(group, sent, problems),
            Kind::Switch => self.change_of_switch(sent),
            _ => {
                let Some(text) = sent.text(Part::Value, &self.path) else { return Change::Keep };
                self.parse(&text).unwrap_or_else(|fault| {
                    problems.push(SettingProblem { path: self.path.clone(), fault });
                    Change::Keep
                })
            }
        }
    }

    /// A box that was not changed is ignored: the setting may be missing and have a default value.
    fn change_of_switch(&self, sent: &Sent<'_>) -> Change {
        let Some(shown) = sent.text(Part::Shown, &self.path) else { return Change::Keep };
        let is_on = sent.text(Part::Value, &self.path).is_some();
        if is_on == (shown == "on") { Change::Keep } else { Change::Set(Value::Bool(is_on)) }
    }

    fn change_of_group(&self, group: &Group, sent: &Sent<'_>, problems: &mut Vec<SettingProblem>) -> Change {
        let before = self.object();
        let mut after = before.clone();
        if let Some(text) = sent.text(Part::Others, &self.path) {
            match group.read_others(&text, &before) {
                Ok(None) => {}
                Ok(Some(others)) => {
                    after.retain(|name, _| group.has(name));
                    after.extend(others);
                }
                Err(fault) => problems.push(SettingProblem { path: self.path.clone(), fault }),
            }
        }
        for setting in &group.settings {
            match setting.change(sent, problems) {
                Change::Keep => {}
                Change::Remove => drop(after.remove(setting.name())),
                Change::Set(value) => drop(after.insert(setting.name().to_owned(), value)),
            }
        }
        if after == before {
            Change::Keep
        } else if after.is_empty() && !self.is_required {
            Change::Remove
        } else {
            Change::Set(Value::Object(after))
        }
    }

    fn parse(&self, text: &str) -> Result<Change, SettingFault> {
        let (shown, trimmed) = (self.text(), text.trim());
        let is_text = matches!(self.kind, Kind::Text(_) | Kind::Secret);
        if text == shown || (!is_text && trimmed == shown) {
            return Ok(Change::Keep);
        }
        if self.is_hidden() && trimmed.is_empty() {
            return Ok(Change::Keep);
        }
        let is_list = matches!(self.kind, Kind::Lines(_));
        if trimmed.is_empty() && !(is_list && self.is_required) {
            return Ok(Change::Remove);
        }
        let value = match &self.kind {
            Kind::Choice(choices) => chosen(choices, trimmed)?,
            Kind::Number(rules) => number(trimmed, rules.is_whole)?,
            Kind::Lines(element) => {
                let lines = trimmed.lines().map(str::trim).filter(|line| !line.is_empty());
                Value::Array(lines.map(|line| element.parse(line)).collect::<Result<_, _>>()?)
            }
            Kind::Json { .. } => self.parse_json(trimmed)?,
            // The others are not sent as one text.
            Kind::Text(_) | Kind::Secret | Kind::Switch | Kind::Group(_) => Value::String(text.to_owned()),
        };
        Ok(Change::Set(value))
    }

    fn parse_json(&self, text: &str) -> Result<Value, SettingFault> {
        let value = json(text)?;
        let is_all = self.path.is_empty();
        if is_all && !value.is_object() { Err(SettingFault::NotObject) } else { Ok(value) }
    }
}

impl Element {
    fn parse(&self, line: &str) -> Result<Value, SettingFault> {
        match self {
            Self::Text => Ok(Value::String(line.to_owned())),
            Self::Number { is_whole } => number(line, *is_whole),
            Self::Choice(choices) => chosen(choices, line),
        }
    }
}

impl Group {
    /// None if they are as they were.
    fn read_others(&self, text: &str, before: &Map<String, Value>) -> Result<Option<Map<String, Value>>, SettingFault> {
        let text = text.trim();
        if text == json_of(&self.others(before)) {
            return Ok(None);
        }
        if text.is_empty() {
            return Ok(Some(Map::new()));
        }
        let Value::Object(others) = json(text)? else { return Err(SettingFault::NotObject) };
        let own = others.keys().find(|name| self.has(name)).cloned();
        own.map_or(Ok(Some(others)), |name| Err(SettingFault::OwnField(name)))
    }
}

fn chosen(choices: &[Choice], text: &str) -> Result<Value, SettingFault> {
    let found = choices.iter().find(|choice| choice.text == text);
    found.map(|choice| choice.value.clone()).ok_or_else(|| SettingFault::NotOfList(super::list_of(choices)))
}

fn number(text: &str, is_whole: bool) -> Result<Value, SettingFault> {
    if let Ok(whole) = text.parse::<i64>() {
        return Ok(Value::from(whole));
    }
    if is_whole {
        return Err(SettingFault::NotWhole);
    }
    let number = text.parse().ok().and_then(Number::from_f64);
    number.map(Value::Number).ok_or(SettingFault::NotNumber)
}

fn json(text: &str) -> Result<Value, SettingFault> {
    let value: Value = serde_json::from_str(text)
        .map_err(|error| SettingFault::NotJson { line: error.line(), column: error.column() })?;
    if fits_manifest(&value) { Ok(value) } else { Err(SettingFault::NotInManifest) }
}

/// Whether TOML has the value, and each in it. The parser limits how deep it is.
fn fits_manifest(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(_) | Value::String(_) => true,
        Value::Number(number) => number.is_i64() || number.is_f64(),
        Value::Array(elements) => elements.iter().all(fits_manifest),
        Value::Object(object) => object.values().all(fits_manifest),
    }
}
