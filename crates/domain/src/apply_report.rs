//! What applying a company manifest did, or with `--dry-run` would do: as lines of text or as JSON.

use std::fmt;

use serde::Serialize;
use strum::Display;

use super::id::CompanyId;

/// The outcome for one company. Lists keep the order of the company manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApplyReport {
    pub company: CompanyId,
    pub name: String,
    /// Whether it only reports what would be done.
    pub dry_run: bool,
    pub created: Vec<Change>,
    pub changed: Vec<Change>,
    /// What is no longer in the file: kept for the cases that refer to it, closed to new use.
    pub deactivated: Vec<Change>,
    /// How many entries already matched the file.
    pub unchanged: usize,
}

/// One changed entry of the company manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    pub kind: ChangeKind,
    /// The operator's identifier, or a webhook's name.
    pub id: String,
    /// For display: a frame's name, a step's title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The fields that differ, as the company manifest names them. Values are left out: some are secrets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum ChangeKind {
    Company,
    User,
    Frame,
    Step,
    Webhook,
    Plugin,
}

impl ApplyReport {
    pub fn new(company: CompanyId, name: &str, dry_run: bool) -> Self {
        Self {
            company,
            name: name.to_owned(),
            dry_run,
            created: Vec::new(),
            changed: Vec::new(),
            deactivated: Vec::new(),
            unchanged: 0,
        }
    }

    /// Whether the company already matched its file.
    pub fn is_empty(&self) -> bool {
        self.created.is_empty() && self.changed.is_empty() && self.deactivated.is_empty()
    }
}

impl Change {
    pub fn new(kind: ChangeKind, id: &impl ToString, name: Option<&str>) -> Self {
        Self { kind, id: id.to_string(), name: name.map(str::to_owned), fields: Vec::new() }
    }
}

/// Lines such as `  created      frame 70 "Water damage"`, followed by a count of unchanged entries.
impl fmt::Display for ApplyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let note = if self.dry_run { " (dry run: nothing is changed)" } else { "" };
        writeln!(f, "company {} {:?}{note}", self.company, self.name)?;
        for (verb, changes) in
            [("created", &self.created), ("changed", &self.changed), ("deactivated", &self.deactivated)]
        {
            for change in changes {
                writeln!(f, "  {verb:<11}  {change}")?;
            }
        }
        write!(f, "  {:<11}  {}", "unchanged", self.unchanged)
    }
}

/// `step 701 "Front of the house": title, mandatory`.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.id)?;
        if let Some(name) = &self.name {
            write!(f, " {name:?}")?;
        }
        if !self.fields.is_empty() {
            write!(f, ": {}", self.fields.join(", "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> ApplyReport {
        ApplyReport {
            created: vec![Change::new(ChangeKind::Frame, &70, Some("Water damage"))],
            changed: vec![Change {
                fields: vec!["title", "mandatory"],
                ..Change::new(ChangeKind::Step, &701, Some("Front of the house"))
            }],
            deactivated: vec![Change::new(ChangeKind::Webhook, &"analysis", None)],
            unchanged: 3,
            ..ApplyReport::new(CompanyId::new(7).unwrap(), "Acme Insurance", false)
        }
    }

    #[test]
    fn the_text_has_a_line_for_each_change() {
        insta::assert_snapshot!(report(), @r#"
        company 7 "Acme Insurance"
          created      frame 70 "Water damage"
          changed      step 701 "Front of the house": title, mandatory
          deactivated  webhook analysis
          unchanged    3
        "#);
    }

    #[test]
    fn a_dry_run_says_so() {
        let text = ApplyReport { dry_run: true, ..report() }.to_string();
        assert!(text.starts_with("company 7 \"Acme Insurance\" (dry run: nothing is changed)\n"), "{text}");
    }

    #[test]
    fn the_json_has_the_same_content() {
        let json = serde_json::to_value(report()).unwrap();
        assert_eq!(json["company"], 7);
        assert_eq!(json["dryRun"], false);
        assert_eq!(json["created"][0], serde_json::json!({"kind": "frame", "id": "70", "name": "Water damage"}));
        assert_eq!(json["changed"][0]["fields"], serde_json::json!(["title", "mandatory"]));
    }
}
