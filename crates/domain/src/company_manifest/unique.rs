//! Identifiers that must not be given twice: within one company manifest, and among several that are applied together.

use std::collections::BTreeMap;

use sealwright_base::toml_reader::{Field, Problem, Severity};

use super::CompanyManifest;
use crate::{
    id::{FrameId, UserId},
    openid::OidcSubject,
};

/// The identifiers of one company manifest so far, each with its line. Those of entries with other errors count too, so
/// that a duplicate is reported in the same run.
#[derive(Default)]
pub(super) struct Identifiers {
    pub(super) users: Lines<UserId>,
    pub(super) usernames: Lines<String>,
    /// In lower case: `userMail` does not distinguish `A@b.example` from `a@b.example`.
    pub(super) emails: Lines<String>,
    pub(super) subjects: Lines<OidcSubject>,
    pub(super) frames: Lines<FrameId>,
}

/// The line on which each identifier was first given.
pub(super) struct Lines<K>(BTreeMap<K, usize>);

impl<K> Default for Lines<K> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<K: Ord> Lines<K> {
    /// Records `key`, or an error at `field` if it is already used.
    pub(super) fn claim(&mut self, key: K, field: &Field<'_>) {
        if let Some(line) = self.0.get(&key) {
            field.wrong::<()>(&format!("one that is not used yet: line {line} already has it"));
        } else {
            self.0.insert(key, field.line());
        }
    }
}

/// Checks that company manifests which are applied together do not claim the same company, user, username, subject or frame.
/// Step identifiers are their frame's own.
pub fn check_together(manifests: &[CompanyManifest]) -> Vec<Problem> {
    let mut seen = BTreeMap::new();
    let mut problems = Vec::new();
    for manifest in manifests {
        for (what, line) in claims(manifest) {
            match seen.get(&what) {
                // Within one file the parser has already reported it.
                Some((file, first)) if *file != &manifest.file => problems.push(Problem {
                    file: manifest.file.clone(),
                    line,
                    path: String::new(),
                    message: format!("{what} is already in {file}, line {first}; expected one that no other file has"),
                    severity: Severity::Error,
                }),
                Some(_) => {}
                None => {
                    seen.insert(what, (&manifest.file, line));
                }
            }
        }
    }
    problems
}

fn claims(manifest: &CompanyManifest) -> impl Iterator<Item = (String, usize)> {
    let company = (format!("company {}", manifest.company.id), manifest.company.line);
    let users = manifest.users.iter().flat_map(|user| {
        let username = user.login.as_ref().map(|login| (format!("username {:?}", login.username), user.line));
        let subject =
            user.oidc_subject.as_ref().map(|subject| (format!("oidc_subject {:?}", subject.as_str()), user.line));
        [Some((format!("user {:?}", user.id.as_str()), user.line)), username, subject].into_iter().flatten()
    });
    let frames = manifest.frames.iter().map(|frame| (format!("frame {}", frame.id), frame.line));
    std::iter::once(company).chain(users).chain(frames)
}
