//! Cases: their public reference and the request that opens one (spec 2.2, 4.4).

/// The description of `scheduledAt`.
macro_rules! scheduled_at {
    () => {
        "The mobile app hides the case until the month of this date. A date-time with its offset, or only a date, \
         which is read as midnight at UTC+2. The month, at UTC+2, must be the current one or a later one."
    };
}

pub mod bulk;
pub mod limits;
mod update;

use std::fmt;

use serde_json::{Map, Value};

use super::{
    body::{Body, Fields, part, request_bodies},
    context::{CaseContext, VisibleData},
    fields::{Change, FILLED_TEXT, TEXT, TITLE},
    id::{CaseId, CompanyId, FrameId, UserId},
    language::CertificateLanguage,
    link::{LinkOptions, LinkToken},
    metadata::METADATA,
    report::ReportToken,
};

pub use self::update::CaseUpdate;

/// A case's public reference: `CAS-<id>_CMP-<company id>`, unique.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaseReference {
    pub case: CaseId,
    pub company: CompanyId,
}

impl fmt::Display for CaseReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CAS-{}_CMP-{}", self.case, self.company)
    }
}

/// Who works on a case: exactly one of these (spec 4.4, rules 1 to 3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attachment {
    /// The calling API account.
    Caller,
    User(UserId),
    /// A user named by e-mail, who has logged in at least once.
    Mail(String),
    Link(LinkToken),
    NewLink(LinkOptions),
}

/// A case to open, as the request's shape allows it. What needs the store or the clock is checked by the use case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCase {
    pub frame: FrameId,
    pub title: Option<String>,
    pub attachment: Attachment,
    pub child_company: Option<CompanyId>,
    pub report_token: Option<ReportToken>,
    pub context: Option<VisibleData>,
    pub metadata: Option<Map<String, Value>>,
    /// As written; reading it needs the clock.
    pub scheduled_at: Option<String>,
    /// Of its certificate; none: the company's.
    pub language: Option<CertificateLanguage>,
}

impl Body for NewCase {
    const NAME: &'static str = "NewCase";
    const DESCRIPTION: &'static str = "A case to open. At most one of `userId`, `userMail`, `magicLinkToken` and `linkOptions` may be given; with none \
                                       of them the case is attached to the calling API account.";

    fn walk<F: Fields>(fields: &mut F) -> Option<Self> {
        let frame = fields.required("frameId", FrameId::KIND, "The frame that the case is opened on.");
        let title = fields.optional("title", TITLE, "Default: the frame's name.");
        let attachment = attachment(fields);
        let child_company = fields.optional(
            "childCompanyId",
            CompanyId::KIND,
            "The child company that link and case will belong to. Only with `magicLinkToken` or `linkOptions`.",
        );
        let report_token = fields.optional(
            "reportToken",
            ReportToken::KIND,
            "The report that the case belongs to; its first use creates the report. Without `/`, `\\` and control characters.",
        );
        let context = fields.optional("caseContext", part::<CaseContext>(), "Who the case is about and who issued it.");
        let metadata =
            fields.optional("metadata", METADATA, "Free key-value pairs of text, returned exactly as given.");
        let scheduled_at = fields.optional("scheduledAt", TEXT, scheduled_at!());
        let language = fields.optional("language", CertificateLanguage::KIND, CertificateLanguage::OF_A_CASE);
        if child_company.is_some() && !fields.has("magicLinkToken") && !fields.has("linkOptions") {
            fields.refuse("childCompanyId is used only with magicLinkToken or linkOptions");
        }
        let (context, nested) = match context {
            Some(CaseContext { visible, metadata }) => (Some(visible.unwrap_or_default()), metadata),
            None => (None, Change::Keep),
        };
        let nested = if let Change::Set(nested) = nested { Some(nested) } else { None };
        Some(Self {
            frame: frame?,
            title,
            attachment,
            child_company,
            report_token,
            context,
            // The form with stated limits, at the top level, wins (decisions 5).
            metadata: metadata.or(nested),
            scheduled_at,
            language,
        })
    }
}

request_bodies!(NewCase);

fn attachment(fields: &mut impl Fields) -> Attachment {
    const EXCLUSIVE: [&str; 4] = ["userId", "userMail", "magicLinkToken", "linkOptions"];
    let given: Vec<&str> = EXCLUSIVE.into_iter().filter(|name| fields.has(name)).collect();
    if given.len() > 1 {
        fields.refuse(&format!("at most one of {} may be given, got {}", EXCLUSIVE.join(", "), given.join(" and ")));
    }
    let user = fields.optional(
        "userId",
        UserId::KIND,
        "The user who works on the case, by the identity provider's identifier.",
    );
    let mail = fields.optional(
        "userMail",
        FILLED_TEXT,
        "The user who works on the case, by the e-mail address of an account that has logged in at least once.",
    );
    let link = fields.optional(
        "magicLinkToken",
        LinkToken::KIND,
        "An existing link of the company or of a child company. The case belongs to the link's company.",
    );
    let new_link = fields.optional("linkOptions", part::<LinkOptions>(), "Creates a new link for the case.");
    let (user, mail) = (user.map(Attachment::User), mail.map(Attachment::Mail));
    let (link, new_link) = (link.map(Attachment::Link), new_link.map(Attachment::NewLink));
    user.or(mail).or(link).or(new_link).unwrap_or(Attachment::Caller)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn spec_4_4_only_the_frame_is_required() {
        let case = NewCase::read(&json!({ "frameId": 70 })).unwrap();
        assert_eq!(case.frame, FrameId::new(70).unwrap());
        assert_eq!(case.attachment, Attachment::Caller);
        assert_eq!(NewCase::read(&json!({})).unwrap_err(), ["frameId is required"]);
        assert_eq!(
            NewCase::read(&json!([])).unwrap_err(),
            ["the body must be a JSON object, got an array of length 0"]
        );
    }

    #[test]
    fn spec_4_4_rule_1_attachments_exclude_each_other() {
        let link = "6d4f2f6a-0b6e-4f6e-8b1a-0d5a5a5a5a5a";
        let alone = [
            json!({ "userId": "u" }),
            json!({ "userMail": "a@b.example" }),
            json!({ "magicLinkToken": link }),
            json!({ "linkOptions": { "reportToken": "R" } }),
        ];
        for (n, one) in alone.iter().enumerate() {
            for other in &alone[n + 1..] {
                let mut body = json!({ "frameId": 1 });
                for part in [one, other] {
                    body.as_object_mut().unwrap().extend(part.as_object().unwrap().clone());
                }
                let problems = NewCase::read(&body).unwrap_err();
                assert!(problems[0].starts_with("at most one of userId, userMail"), "{problems:?}");
            }
        }
    }

    #[test]
    fn spec_4_4_rule_5_a_child_company_needs_a_link() {
        let problems = NewCase::read(&json!({ "frameId": 1, "childCompanyId": 2 })).unwrap_err();
        assert_eq!(problems, ["childCompanyId is used only with magicLinkToken or linkOptions"]);
        assert!(
            NewCase::read(&json!({ "frameId": 1, "childCompanyId": 2, "linkOptions": { "reportToken": "R" } })).is_ok()
        );
    }

    #[test]
    fn decisions_5_top_level_metadata_wins_over_the_nested_form() {
        let both =
            json!({ "frameId": 1, "metadata": { "a": "top" }, "caseContext": { "metadata": { "a": "nested" } } });
        assert_eq!(NewCase::read(&both).unwrap().metadata.unwrap()["a"], "top");
        let nested = json!({ "frameId": 1, "caseContext": { "metadata": { "a": "nested" } } });
        assert_eq!(NewCase::read(&nested).unwrap().metadata.unwrap()["a"], "nested");
        let empty = json!({ "frameId": 1, "metadata": {} });
        assert_eq!(NewCase::read(&empty).unwrap().metadata, Some(Map::new()));
    }

    #[test]
    fn a_case_may_have_its_own_language() {
        let read = |language: Value| NewCase::read(&json!({ "frameId": 1, "language": language }));
        assert_eq!(read(json!("de")).unwrap().language, Some(CertificateLanguage::De));
        assert_eq!(read(Value::Null).unwrap().language, None);
        let problems = read(json!("it")).unwrap_err();
        assert_eq!(problems, ["language must be one of en, fr, de and es, got the text \"it\""]);
    }

    #[test]
    fn every_problem_of_a_body_is_reported_at_once() {
        let body = json!({ "title": 1, "userMail": "", "metadata": { "k": 1 }, "scheduledAt": 7 });
        assert_eq!(NewCase::read(&body).unwrap_err().len(), 5);
    }
}
