//! The companies of a run: each has a different receiver, and one has the quotas of the specification.

use std::fmt::Write as _;

use crate::{history::Quota, receiver::Receivers};

#[derive(Clone, Debug)]
pub(crate) struct Company {
    pub(crate) id: i64,
    pub(crate) name: &'static str,
    /// Where its case webhook goes.
    endpoint: String,
    /// Whether its quotas are so high that it never reaches them.
    is_raised: bool,
}

pub(crate) const PASSWORD: &str = "a password for ten minutes";

/// The default quotas of the operations that the load uses (spec 8).
const DEFAULT_QUOTAS: [(&str, usize); 12] = [
    ("POST /auth/token", 200),
    ("GET /frames", 60),
    ("GET /cases", 5),
    ("POST /cases/create", 60),
    ("POST /cases/bulk-create", 10),
    ("POST /cases/bulk-delete", 10),
    ("GET /cases/close/:caseId", 60),
    ("GET /cases/close/link/:magicLinkToken", 60),
    ("DELETE /cases/delete/:caseId", 60),
    ("POST /v2/items/:caseId/document", 60),
    ("POST /v2/items/create", 60),
    ("POST /v2/items/:caseId", 60),
];
/// Further operations whose quotas are raised.
const ALSO_RAISED: [&str; 2] = ["GET /cases/:caseId/analysis", "POST /reports/report/:reportToken"];
const RAISED: usize = 100_000;

pub(crate) fn companies(receivers: &Receivers, dead: &str) -> Vec<Company> {
    let company = |id, name, endpoint: String, is_raised| Company { id, name, endpoint, is_raised };
    vec![
        company(1, "alder", receivers.fast(), true),
        company(2, "birch", receivers.slow(), true),
        company(3, "cedar", dead.to_owned(), true),
        company(4, "dogwood", receivers.fast(), false),
    ]
}

impl Company {
    pub(crate) fn username(&self) -> String {
        format!("{}-api", self.name)
    }

    pub(crate) fn frame(&self) -> i64 {
        self.id * 10
    }

    /// The frame's step at a position: a text, a photo, a signature, a document, a video.
    pub(crate) fn step(&self, place: i64) -> i64 {
        self.id * 100 + place
    }

    /// Whether it keeps reaching its quotas.
    pub(crate) fn is_limited(&self) -> bool {
        !self.is_raised
    }

    pub(crate) fn quotas(&self) -> Vec<Quota> {
        let quota = |(operation, usual)| Quota {
            company: self.id,
            operation,
            limit: if self.is_raised { RAISED } else { usual },
        };
        DEFAULT_QUOTAS.into_iter().map(quota).collect()
    }

    pub(crate) fn manifest(&self) -> String {
        let Self { id, name, endpoint, is_raised } = self;
        let mut text =
            format!("[company]\nid = {id}\nname = \"{name}\"\ndocument_analysis = true\n\n[company.rate_limits]\n");
        let operations = DEFAULT_QUOTAS.iter().map(|(operation, _)| operation).chain(&ALSO_RAISED);
        for operation in operations.filter(|_| *is_raised) {
            let _ = writeln!(text, "\"{operation}\" = {RAISED}");
        }
        let (username, frame) = (self.username(), self.frame());
        let _ = write!(
            text,
            "\n[[user]]\nid = \"usr-{name}\"\nusername = \"{username}\"\npassword = \"{PASSWORD}\"\n\
             email = \"api@{name}.example\"\nname = \"Back office of {name}\"\nkind = \"api\"\nrights = [\"p_api:*\"]\n\
             logged_in = true\n\n[[frame]]\nid = {frame}\nname = \"Water damage\"\n"
        );
        for (place, action) in (0..).zip(["TEXT_FIELD", "PHOTOGRAPHY", "SIGNATURE", "DOCUMENT_UPLOAD", "VIDEO"]) {
            let _ = write!(
                text,
                "\n[[frame.step]]\nid = {}\ntitle = \"Step {place}\"\naction = \"{action}\"\n",
                self.step(place)
            );
        }
        let _ = write!(
            text,
            "\n[webhook.case]\nendpoint = \"{endpoint}\"\nauth = \"bearer\"\nauth_token = \"token-of-{name}\"\n"
        );
        text
    }
}
