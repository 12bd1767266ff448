//! What operations name, who must own it, and the answer if it is missing or belongs to another company (spec 4 and 5,
//! rule 5; decisions 2, 5, 6, 8 and 10). The operations' table has a list of these for each operation, and use cases take
//! their errors from it: [`Operation::missing`](super::operation::Operation::missing) and
//! [`Operation::foreign`](super::operation::Operation::foreign).

/// Something that a request names, in its path, its query or its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resource {
    pub kind: Kind,
    pub owner: Owner,
    /// It does not exist.
    pub missing: Answer,
    /// It exists, but the caller may not use it.
    pub foreign: Answer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `caseId`
    Case,
    /// `frameId`
    Frame,
    /// `stepId`
    Step,
    /// `itemId`
    Item,
    /// `userId` or `userMail`
    User,
    /// `magicLinkToken`
    Link,
    /// `childCompanyId`
    Child,
    /// `companyId`
    Company,
    /// `reportToken`
    Report,
    /// The unguessable end of a public address.
    AccessKey,
    /// `uploadKey`
    Upload,
}

/// Who may use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The company it belongs to.
    Company,
    /// The company it belongs to, and that one's parent.
    CompanyOrParent,
    /// The company it belongs to, and that one's children if it was opened to them.
    CompanyOrChildren,
    /// A parent and its children together: the first of them that used it.
    Family,
    /// The case that the same request names: its frame's steps, its company.
    Case,
    /// Anyone who knows it.
    Anyone,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// 400
    Invalid,
    /// 403
    Forbidden,
    /// 404
    NotFound,
    /// None: a new one is made, or a filter that finds nothing finds nothing.
    Accepted,
}

/// Why an operation refuses a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// [`Answer::Accepted`] is a contradiction: the operation asked about a resource that its row does not name.
    pub answer: Answer,
    /// One line for the caller.
    pub message: String,
}

pub(super) const CASE: Resource =
    Resource { kind: Kind::Case, owner: Owner::Company, missing: Answer::NotFound, foreign: Answer::Forbidden };
/// Closing and deleting by identifier answer 400 for a case that does not exist (spec 4.6 and 4.10).
pub(super) const CASE_OR_400: Resource = Resource { missing: Answer::Invalid, ..CASE };
/// A filter of the search: what is not the company's is not found (decisions 6).
pub(super) const CASE_FILTER: Resource = Resource { missing: Answer::Accepted, foreign: Answer::Accepted, ..CASE };
/// Another company's frame looks like none (spec 4.4).
pub(super) const FRAME: Resource = Resource {
    kind: Kind::Frame,
    owner: Owner::CompanyOrChildren,
    missing: Answer::NotFound,
    foreign: Answer::NotFound,
};
pub(super) const FRAME_FILTER: Resource = Resource { missing: Answer::Accepted, foreign: Answer::Accepted, ..FRAME };
pub(super) const STEP: Resource =
    Resource { kind: Kind::Step, owner: Owner::Case, missing: Answer::NotFound, foreign: Answer::NotFound };
pub(super) const ITEM: Resource =
    Resource { kind: Kind::Item, owner: Owner::Company, missing: Answer::NotFound, foreign: Answer::Forbidden };
pub(super) const USER: Resource =
    Resource { kind: Kind::User, owner: Owner::Company, missing: Answer::Invalid, foreign: Answer::Invalid };
pub(super) const LINK: Resource =
    Resource { kind: Kind::Link, owner: Owner::CompanyOrParent, missing: Answer::NotFound, foreign: Answer::Forbidden };
/// A company that does not exist is not a child either.
pub(super) const CHILD: Resource = Resource {
    kind: Kind::Child,
    owner: Owner::CompanyOrParent,
    missing: Answer::Forbidden,
    foreign: Answer::Forbidden,
};
/// `companyId` as a filter of the search: the caller's own.
pub(super) const COMPANY: Resource =
    Resource { kind: Kind::Company, owner: Owner::Company, missing: Answer::Forbidden, foreign: Answer::Forbidden };
/// `companyId` of an item: the case's.
pub(super) const COMPANY_OF_CASE: Resource = Resource { owner: Owner::Case, ..COMPANY };
/// An unused report token becomes the family's.
pub(super) const REPORT_CLAIM: Resource =
    Resource { kind: Kind::Report, owner: Owner::Family, missing: Answer::Accepted, foreign: Answer::Forbidden };
pub(super) const REPORT_FILTER: Resource = Resource { foreign: Answer::Accepted, ..REPORT_CLAIM };
/// Its certificates: those of the caller's company (decisions 10).
pub(super) const REPORT: Resource =
    Resource { kind: Kind::Report, owner: Owner::Company, missing: Answer::NotFound, foreign: Answer::Forbidden };
pub(super) const ACCESS_KEY: Resource =
    Resource { kind: Kind::AccessKey, owner: Owner::Anyone, missing: Answer::NotFound, foreign: Answer::Accepted };
/// A certificate as its company may have it: with everything behind it.
pub(super) const CERTIFICATE: Resource =
    Resource { kind: Kind::AccessKey, owner: Owner::Company, missing: Answer::NotFound, foreign: Answer::Forbidden };
/// Another company's upload looks like none: only its creator knows the key.
pub(super) const UPLOAD: Resource =
    Resource { kind: Kind::Upload, owner: Owner::Company, missing: Answer::NotFound, foreign: Answer::NotFound };
