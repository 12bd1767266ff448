//! Which differences between two descriptions break a client that was made from the older one.
//!
//! What a client sends must still be accepted, and what it reads must still be there. An addition is not a break: a new
//! operation, a field that a request may have, a field or a value in an answer. Clients ignore fields and accept values
//! that they do not know.

use std::collections::BTreeSet;

use serde_json::Value;

use super::shape::{LOWER, RULES, Shape, UPPER, resolved};

/// Who makes a value. The client's values must still be accepted, the server's must still be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Maker {
    Client,
    Server,
}

/// A sentence for each change that breaks a client. The list is empty if `now` has a higher major version, or for
/// versions below 1 a higher minor one: such a release may break clients.
pub(super) fn unannounced_breaks(released: &Value, now: &Value) -> Vec<String> {
    if leading(now) > leading(released) { Vec::new() } else { breaks(released, now) }
}

/// A sentence for each change that breaks a client.
pub(super) fn breaks(released: &Value, now: &Value) -> Vec<String> {
    let mut comparison = Comparison { released, now, sentences: Vec::new(), seen: BTreeSet::new() };
    comparison.operations();
    comparison.webhooks();
    comparison.sentences
}

/// The part of the version that a break must raise.
fn leading(description: &Value) -> (u64, u64) {
    let version = description["info"]["version"].as_str().unwrap_or_default();
    let mut numbers = version.split('.').map(|number| number.parse().unwrap_or(0));
    match (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) {
        (0, minor) => (0, minor),
        (major, _) => (major, 0),
    }
}

struct Comparison<'a> {
    released: &'a Value,
    now: &'a Value,
    sentences: Vec<String>,
    /// The pairs of schemas with parts that were compared for one body: each is reported once, and one that contains
    /// itself comes to an end.
    seen: BTreeSet<(Vec<*const Value>, Vec<*const Value>)>,
}

impl<'a> Comparison<'a> {
    fn say(&mut self, place: &str, what: &str) {
        self.sentences.push(format!("{place}: {what}."));
    }

    fn operations(&mut self) {
        for (path, item) in members(&self.released["paths"]) {
            for (method, released) in members(item) {
                let place = format!("{} {path}", method.to_uppercase());
                match self.now["paths"].get(path).and_then(|item| item.get(method)) {
                    None => self.say(&place, "the operation was removed"),
                    Some(now) => self.operation(&place, released, now),
                }
            }
        }
    }

    fn webhooks(&mut self) {
        for (name, released) in members(&self.released["webhooks"]) {
            let place = format!("webhook {name}");
            match self.now["webhooks"].get(name) {
                None => self.say(&place, "the webhook was removed"),
                Some(now) => {
                    let (released, now) = (&released["post"]["requestBody"], &now["post"]["requestBody"]);
                    self.contents(&place, &released["content"], &now["content"], Maker::Server);
                }
            }
        }
    }

    fn operation(&mut self, place: &str, released: &'a Value, now: &'a Value) {
        self.security(place, &released["security"], &now["security"]);
        self.parameters(place, &released["parameters"], &now["parameters"]);
        self.request_body(place, released.get("requestBody"), now.get("requestBody"));
        for (status, released) in members(&released["responses"]) {
            let place = format!("{place}, answer {status}");
            match now["responses"].get(status) {
                None => self.say(&place, "the status was removed"),
                Some(now) => {
                    let (released, now) = (resolved(self.released, released), resolved(self.now, now));
                    for (name, _) in members(&released["headers"]) {
                        if now["headers"].get(name).is_none() {
                            self.say(&place, &format!("the header {name} was removed"));
                        }
                    }
                    self.contents(&place, &released["content"], &now["content"], Maker::Server);
                }
            }
        }
    }

    /// Each way in which a caller was allowed must still be enough.
    fn security(&mut self, place: &str, released: &Value, now: &Value) {
        let ways = |security: &Value| -> Vec<BTreeSet<String>> {
            let ways = security.as_array().into_iter().flatten();
            ways.map(|way| members(way).flat_map(|(scheme, rights)| needs(scheme, rights)).collect()).collect()
        };
        let (released, now) = (ways(released), ways(now));
        if now.is_empty() {
            return;
        }
        if released.is_empty() {
            self.say(place, "the operation was open, and now needs to know the caller");
        }
        for way in &released {
            if !now.iter().any(|now| now.is_subset(way)) {
                let way = way.iter().map(String::as_str).collect::<Vec<_>>().join(" and ");
                self.say(place, &format!("{way} is not enough any more"));
            }
        }
    }

    fn parameters(&mut self, place: &str, released: &'a Value, now: &'a Value) {
        let key = |parameter: &Value| (parameter["in"].clone(), parameter["name"].clone());
        let list = |parameters: &'a Value| parameters.as_array().map_or(&[][..], Vec::as_slice);
        let describe = |parameter: &Value| {
            let text = |name: &str| parameter[name].as_str().unwrap_or_default().to_owned();
            format!("the {} parameter {}", text("in"), text("name"))
        };
        for old in list(released) {
            match list(now).iter().find(|parameter| key(parameter) == key(old)) {
                None => self.say(place, &format!("{} was removed", describe(old))),
                Some(new) => {
                    if new["required"] == true && old["required"] != true {
                        self.say(place, &format!("{} became required", describe(old)));
                    }
                    let place = format!("{place}, {}", describe(old));
                    self.seen.clear();
                    self.schema(&place, "", &old["schema"], &new["schema"], Maker::Client);
                }
            }
        }
        for new in list(now) {
            let is_new = list(released).iter().all(|parameter| key(parameter) != key(new));
            if is_new && new["required"] == true {
                self.say(place, &format!("{} is new and required", describe(new)));
            }
        }
    }

    fn request_body(&mut self, place: &str, released: Option<&'a Value>, now: Option<&'a Value>) {
        let is_required = |body: Option<&Value>| body.is_some_and(|body| body["required"] == true);
        let place = format!("{place}, request");
        if is_required(now) && !is_required(released) {
            self.say(&place, "the body became required");
        }
        match (released, now) {
            (Some(_), None) => self.say(&place, "the body was removed"),
            (Some(released), Some(now)) => {
                self.contents(&place, &released["content"], &now["content"], Maker::Client);
            }
            (None, _) => {}
        }
    }

    fn contents(&mut self, place: &str, released: &'a Value, now: &'a Value, maker: Maker) {
        for (media_type, released) in members(released) {
            match now.get(media_type) {
                None => self.say(place, &format!("the media type {media_type} was removed")),
                Some(now) => {
                    self.seen.clear();
                    self.schema(place, "", &released["schema"], &now["schema"], maker);
                }
            }
        }
    }

    /// Compares two schemas. `path` names the field that has them, and is empty for the whole body.
    fn schema(&mut self, place: &str, path: &str, released: &'a Value, now: &'a Value, maker: Maker) {
        let (old, new) = (Shape::of(self.released, released), Shape::of(self.now, now));
        self.types(place, path, &old, &new, maker);
        self.values(place, path, &old, &new, maker);
        if maker == Maker::Client {
            self.limits(place, path, &old, &new);
        }
        let origins = (old.origins.clone(), new.origins.clone());
        if !self.seen.insert(origins) {
            return;
        }
        self.fields(place, path, &old, &new, maker);
        for (released, now, step) in [(old.elements, new.elements, "[]"), (old.members, new.members, ".*")] {
            if let (Some(released), Some(now)) = (released, now) {
                self.schema(place, &format!("{path}{step}"), released, now, maker);
            }
        }
    }

    fn types(&mut self, place: &str, path: &str, old: &Shape<'_>, new: &Shape<'_>, maker: Maker) {
        let (made, understood) = if maker == Maker::Client { (old, new) } else { (new, old) };
        if !is_covered(&made.types, &understood.types) {
            let (old, new) = (listed(&old.types), listed(&new.types));
            self.say(place, &format!("the type of {} changed from {old} to {new}", subject(path)));
        }
    }

    fn values(&mut self, place: &str, path: &str, old: &Shape<'_>, new: &Shape<'_>, maker: Maker) {
        let subject = subject(path);
        match (&old.values, &new.values) {
            (Some(old), Some(new)) => {
                for gone in old - new {
                    self.say(place, &format!("the value {gone} of {subject} was removed"));
                }
            }
            (None, Some(new)) if maker == Maker::Client => {
                self.say(place, &format!("{subject} is now limited to {}", listed(new)));
            }
            (Some(_), None) if maker == Maker::Server => {
                self.say(place, &format!("{subject} is not limited to listed values any more"));
            }
            _ => {}
        }
    }

    fn limits(&mut self, place: &str, path: &str, old: &Shape<'_>, new: &Shape<'_>) {
        for (name, now) in &new.limits {
            let released = old.limits.get(name).copied();
            let is_tighter = match (released.and_then(Value::as_f64), now.as_f64()) {
                (Some(released), Some(now)) if UPPER.contains(name) => now < released,
                (Some(released), Some(now)) if LOWER.contains(name) => now > released,
                _ => released != Some(*now) && (released.is_none() || RULES.contains(name)),
            };
            if is_tighter {
                let before = released.map_or_else(|| "nothing".to_owned(), Value::to_string);
                self.say(place, &format!("{name} of {} was tightened from {before} to {now}", subject(path)));
            }
        }
    }

    fn fields(&mut self, place: &str, path: &str, old: &Shape<'a>, new: &Shape<'a>, maker: Maker) {
        for (name, released) in &old.fields {
            let path = if path.is_empty() { (*name).to_owned() } else { format!("{path}.{name}") };
            match new.fields.get(name) {
                None => self.say(place, &format!("the field {path} was removed")),
                Some(now) => self.schema(place, &path, released, now, maker),
            }
        }
        let (more, less) = (&new.required - &old.required, &old.required - &new.required);
        let full = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        match maker {
            Maker::Client => {
                for name in more {
                    self.say(place, &format!("the field {} is now required", full(name)));
                }
            }
            Maker::Server => {
                for name in less.into_iter().filter(|name| new.fields.contains_key(name)) {
                    self.say(place, &format!("the field {} may now be absent", full(name)));
                }
            }
        }
    }
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// What a caller needs for one scheme: the scheme, and its rights.
fn needs(scheme: &str, rights: &Value) -> Vec<String> {
    let rights = rights.as_array().into_iter().flatten().filter_map(Value::as_str);
    std::iter::once(scheme.to_owned()).chain(rights.map(|right| format!("the right {right}"))).collect()
}

/// Whether each of the types is one of `allowed`. None at all means any type.
fn is_covered(types: &BTreeSet<String>, allowed: &BTreeSet<String>) -> bool {
    let is_allowed = |name: &String| allowed.contains(name) || (name == "integer" && allowed.contains("number"));
    allowed.is_empty() || (!types.is_empty() && types.iter().all(is_allowed))
}

fn subject(path: &str) -> String {
    if path.is_empty() { "the value".to_owned() } else { format!("the field {path}") }
}

fn listed(names: &BTreeSet<String>) -> String {
    if names.is_empty() {
        "anything".to_owned()
    } else {
        names.iter().map(String::as_str).collect::<Vec<_>>().join(" or ")
    }
}
