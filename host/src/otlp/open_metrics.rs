//! Reads the text of `GET /metrics` (OpenMetrics 1.0). It is our own text, so only what we write is understood.

/// A metric with its samples.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Family<'a> {
    /// A counter's name is without `_total`.
    pub(super) name: &'a str,
    pub(super) help: &'a str,
    /// `counter`, `gauge` or `histogram`.
    pub(super) metric_type: &'a str,
    /// `seconds`, or nothing.
    pub(super) unit: &'a str,
    pub(super) samples: Vec<Sample<'a>>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Sample<'a> {
    /// The family's name, with a suffix such as `_total`.
    pub(super) name: &'a str,
    pub(super) labels: Vec<(&'a str, String)>,
    pub(super) value: &'a str,
}

/// The metrics of a text. Lines of another form are skipped.
pub(super) fn read(text: &str) -> Vec<Family<'_>> {
    let mut families: Vec<Family<'_>> = Vec::new();
    for line in text.lines() {
        if let Some(comment) = line.strip_prefix("# ") {
            describe(&mut families, comment);
        } else if let (Some(family), Some(sample)) = (families.last_mut(), read_sample(line)) {
            family.samples.push(sample);
        }
    }
    families
}

/// `HELP name text`, `TYPE name type` or `UNIT name unit`. A new name starts a family.
fn describe<'a>(families: &mut Vec<Family<'a>>, comment: &'a str) {
    let mut words = comment.splitn(3, ' ');
    let (Some(keyword), Some(name), Some(rest)) = (words.next(), words.next(), words.next()) else { return };
    if families.last().is_none_or(|family| family.name != name) {
        families.push(Family { name, ..Family::default() });
    }
    let Some(family) = families.last_mut() else { return };
    match keyword {
        "HELP" => family.help = rest,
        "TYPE" => family.metric_type = rest,
        "UNIT" => family.unit = rest,
        _ => {}
    }
}

/// `name value` or `name{label="text",…} value`.
fn read_sample(line: &str) -> Option<Sample<'_>> {
    let end = line.find(['{', ' '])?;
    let (name, rest) = line.split_at(end);
    let (labels, rest) = match rest.strip_prefix('{') {
        Some(labels) => read_labels(labels)?,
        None => (Vec::new(), rest),
    };
    let value = rest.split_ascii_whitespace().next()?;
    Some(Sample { name, labels, value })
}

/// The labels up to the closing brace, and what follows it.
fn read_labels(mut rest: &str) -> Option<(Vec<(&str, String)>, &str)> {
    let mut labels = Vec::new();
    loop {
        rest = rest.trim_start_matches(',');
        if let Some(after) = rest.strip_prefix('}') {
            return Some((labels, after));
        }
        let (key, quoted) = rest.split_once("=\"")?;
        let (value, after) = unquote(quoted)?;
        labels.push((key, value));
        rest = after;
    }
}

/// A text up to its closing quotation mark, without escapes, and what follows it.
fn unquote(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => match characters.next()?.1 {
                'n' => value.push('\n'),
                escaped => value.push(escaped),
            },
            plain => value.push(plain),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_has_its_description_and_its_samples() {
        let text = "# HELP a_seconds What it is.\n# TYPE a_seconds histogram\n# UNIT a_seconds seconds\n\
                    a_seconds_sum{x=\"1\"} 2.5\na_seconds_bucket{le=\"+Inf\",x=\"1\"} 3\n\
                    # HELP b What.\n# TYPE b gauge\nb 7\n# EOF\n";
        let [a, b] = read(text).try_into().unwrap();
        assert_eq!((a.name, a.help, a.metric_type, a.unit), ("a_seconds", "What it is.", "histogram", "seconds"));
        assert_eq!(a.samples[0], Sample { name: "a_seconds_sum", labels: vec![("x", "1".to_owned())], value: "2.5" });
        assert_eq!(a.samples[1].labels, [("le", "+Inf".to_owned()), ("x", "1".to_owned())]);
        assert_eq!(b.samples, [Sample { name: "b", labels: Vec::new(), value: "7" }]);
    }

    #[test]
    fn labels_may_contain_anything() {
        let [family] = read("# TYPE a gauge\na{x=\"\\\"},\\\\ \\n\",y=\"\"} 1\nbroken{x=\"\n").try_into().unwrap();
        let [sample] = family.samples.try_into().unwrap();
        assert_eq!(sample.labels, [("x", "\"},\\ \n".to_owned()), ("y", String::new())]);
    }
}
