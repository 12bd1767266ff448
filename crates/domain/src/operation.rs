//! The one table of the interface's operations: method, path, who may call with which rights, how many calls a minute,
//! and what a request names, with the answers where that is missing or another company's (spec 4, 5 and 8; decisions 1,
//! 2, 3 and 11). The router, the guard, the rate limiter, the company manifest and the use cases all read it.

use super::{
    resource::{
        ACCESS_KEY, Answer, CASE, CASE_FILTER, CASE_OR_400, CERTIFICATE, CHILD, COMPANY, COMPANY_OF_CASE, FRAME,
        FRAME_FILTER, ITEM, Kind, LINK, REPORT, REPORT_CLAIM, REPORT_FILTER, Refusal, Resource, STEP, UPLOAD, USER,
    },
    right::Right,
};

/// An operation of the interface, named for what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    CreateToken,
    ListFrames,
    SearchCases,
    CreateCase,
    BulkCreateCases,
    CloseCase,
    CloseCaseByLink,
    UpdateCase,
    BulkUpdateCases,
    DeleteCase,
    BulkDeleteCases,
    ReadAnalysis,
    UploadDocument,
    CreateEntryItem,
    UploadMedia,
    CreateLegacyItem,
    DescribeUploads,
    CreateUpload,
    ReadUploadOffset,
    AppendToUpload,
    ReadUpload,
    DeleteUpload,
    ReadReport,
    DownloadReport,
    ReadImage,
    ReadVideo,
    ReadSharedCase,
    VerifySharedCase,
    DownloadPackage,
    ReadSharedEvidence,
    UpdateApiSettings,
    ReadCompanyOptions,
    CreateLink,
    ReadLinkPage,
    ReadCapture,
    OpenCaptureCase,
    ReadCaptureCase,
    AddCaptureEntry,
    AnnounceCaptures,
    CloseCaptureCase,
    ReadReceiptKeys,
    RequestRetake,
    CertifyPhoto,
    SignInFieldUser,
    ReadFieldSession,
    SignOutFieldUser,
    ListFieldCases,
    OpenQuickCase,
    ReadDecision,
    DiscloseItems,
    EraseItems,
    HoldCase,
    EndHold,
    ReadEvents,
    TestCaseWebhook,
    ReadFieldPage,
    StartFieldSignIn,
    FinishFieldSignIn,
    DescribeInterface,
    ReadReference,
    CheckHealth,
    CheckReadiness,
}

/// The fixed properties of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Properties {
    pub operation: Operation,
    pub method: &'static str,
    /// From the server's root, with parameters as `:name`, as spec 4 writes it.
    pub path: &'static str,
    pub caller: Caller,
    pub quota: Quota,
    /// What a request names. A bulk operation names it in its elements, and the answer is that element's, in `error[]`.
    pub names: &'static [Resource],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// A user with a bearer token and these rights.
    ApiUser(Needs),
    /// The holder of a link, with the link's token as the bearer token.
    LinkHolder,
    /// A user of kind `field`, with the cookie of a session.
    FieldUser,
    /// The holder of a link, or a field user.
    LinkHolderOrFieldUser,
    /// A user with a bearer token and these rights, the holder of a link, or a field user.
    ApiUserOrHolder(Needs),
    /// Anyone.
    Public,
}

/// The rights an operation asks for (spec 5; decisions 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    All(&'static [Right]),
    Any(&'static [Right]),
}

/// How many requests are accepted in any 60 seconds unless the company manifest says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quota {
    /// Counted for each company; a company manifest can set another number. Of the holders of links and of field users,
    /// counted for each link and each session.
    PerCompany(u32),
    /// Counted for each access key (one image, one report token, the token of a link, the session of a field user);
    /// unknown keys share one counter.
    PerAccessKey(u32),
    /// Counted for each client, by its address. None of the specification's.
    PerClient(u32),
    Unlimited,
}

const CREATE: Needs = Needs::All(&[Right::CaseCreate]);
const READ: Needs = Needs::All(&[Right::CaseRead]);
const UPDATE: Needs = Needs::All(&[Right::CaseUpdate]);
const DELETE: Needs = Needs::All(&[Right::CaseDelete]);
const BULK_CREATE: Needs = Needs::All(&[Right::CaseCreate, Right::CaseBulkCreate]);
const BULK_UPDATE: Needs = Needs::All(&[Right::CaseUpdate, Right::CaseBulkUpdate]);
const BULK_DELETE: Needs = Needs::All(&[Right::CaseDelete, Right::CaseBulkDelete]);
/// A caller that may only read must not close a case.
const CLOSE: Needs = Needs::Any(&[Right::CaseCreate, Right::CaseUpdate]);
const CREATE_ITEM: Needs = Needs::All(&[Right::ItemCreate]);
/// The step decides which of the two.
const UPLOAD_FILE: Needs = Needs::Any(&[Right::CaseCreate, Right::ItemCreate]);
const SETTINGS: Needs = Needs::All(&[Right::CompanyUpdate]);

const FILTERS: &[Resource] = &[COMPANY, CASE_FILTER, FRAME_FILTER, REPORT_FILTER];
const NEW_CASE: &[Resource] = &[FRAME, USER, LINK, CHILD, REPORT_CLAIM];
const CHANGED_CASE: &[Resource] = &[CASE, FRAME, USER, REPORT_CLAIM];
const NEW_ITEM: &[Resource] = &[CASE, COMPANY_OF_CASE, STEP];

const TABLE: [Properties; 62] = {
    use Caller::{ApiUser, ApiUserOrHolder as Either, FieldUser, LinkHolder, LinkHolderOrFieldUser as Holder, Public};
    use Operation as Op;
    use Quota::{PerAccessKey, PerClient, PerCompany, Unlimited};
    [
        row(Op::CreateToken, "POST", "/auth/token", Public, PerCompany(200), &[]),
        row(Op::ListFrames, "GET", "/frames", ApiUser(READ), PerCompany(60), &[]),
        row(Op::SearchCases, "GET", "/cases", ApiUser(READ), PerCompany(5), FILTERS),
        row(Op::CreateCase, "POST", "/cases/create", ApiUser(CREATE), PerCompany(60), NEW_CASE),
        row(Op::BulkCreateCases, "POST", "/cases/bulk-create", ApiUser(BULK_CREATE), PerCompany(10), NEW_CASE),
        row(Op::CloseCase, "GET", "/cases/close/:caseId", ApiUser(CLOSE), PerCompany(60), &[CASE_OR_400]),
        row(
            Op::CloseCaseByLink,
            "GET",
            "/cases/close/link/:magicLinkToken",
            ApiUser(CLOSE),
            PerCompany(60),
            &[LINK, CASE],
        ),
        row(Op::UpdateCase, "PATCH", "/cases/update", ApiUser(UPDATE), PerCompany(60), CHANGED_CASE),
        row(Op::BulkUpdateCases, "PATCH", "/cases/bulk-update", ApiUser(BULK_UPDATE), PerCompany(10), CHANGED_CASE),
        row(Op::DeleteCase, "DELETE", "/cases/delete/:caseId", ApiUser(DELETE), PerCompany(60), &[CASE_OR_400]),
        row(Op::BulkDeleteCases, "POST", "/cases/bulk-delete", ApiUser(BULK_DELETE), PerCompany(10), &[CASE]),
        row(Op::ReadAnalysis, "GET", "/cases/:caseId/analysis", ApiUser(READ), PerCompany(60), &[CASE]),
        row(Op::UploadDocument, "POST", "/v2/items/:caseId/document", ApiUser(CREATE), PerCompany(60), NEW_ITEM),
        row(Op::CreateEntryItem, "POST", "/v2/items/create", ApiUser(CREATE), PerCompany(60), NEW_ITEM),
        row(Op::UploadMedia, "POST", "/v2/items/:caseId", ApiUser(CREATE_ITEM), PerCompany(60), NEW_ITEM),
        row(Op::CreateLegacyItem, "POST", "/api/items", ApiUser(CREATE), PerCompany(60), &[CASE, STEP]),
        row(Op::DescribeUploads, "OPTIONS", "/v2/uploads", Public, PerClient(120), &[]),
        row(Op::CreateUpload, "POST", "/v2/uploads", Either(UPLOAD_FILE), PerCompany(120), NEW_ITEM),
        row(Op::ReadUploadOffset, "HEAD", "/v2/uploads/:uploadKey", Either(UPLOAD_FILE), PerCompany(600), &[UPLOAD]),
        row(Op::AppendToUpload, "PATCH", "/v2/uploads/:uploadKey", Either(UPLOAD_FILE), PerCompany(600), &[UPLOAD]),
        row(Op::ReadUpload, "GET", "/v2/uploads/:uploadKey", Either(UPLOAD_FILE), PerCompany(120), &[UPLOAD]),
        row(Op::DeleteUpload, "DELETE", "/v2/uploads/:uploadKey", Either(UPLOAD_FILE), PerCompany(120), &[UPLOAD]),
        row(Op::ReadReport, "GET", "/reports/:reportToken", Public, PerAccessKey(100), &[ACCESS_KEY]),
        row(Op::DownloadReport, "POST", "/reports/report/:reportToken", ApiUser(READ), PerCompany(25), &[REPORT]),
        row(Op::ReadImage, "GET", "/images/:imageUrl", Public, PerAccessKey(500), &[ACCESS_KEY]),
        row(Op::ReadVideo, "GET", "/medias/video/:videoUrl", Public, PerAccessKey(500), &[ACCESS_KEY]),
        row(Op::ReadSharedCase, "GET", "/share/case/:shareToken", Public, PerAccessKey(180), &[ACCESS_KEY]),
        row(Op::VerifySharedCase, "GET", "/share/case/:shareToken/verify", Public, PerAccessKey(60), &[ACCESS_KEY]),
        row(
            Op::DownloadPackage,
            "GET",
            "/share/case/:shareToken/package",
            ApiUser(READ),
            PerCompany(25),
            &[CERTIFICATE],
        ),
        row(Op::ReadSharedEvidence, "GET", "/share/case/:shareToken/evidence", Public, PerAccessKey(60), &[ACCESS_KEY]),
        row(Op::UpdateApiSettings, "POST", "/company-options/api-settings", ApiUser(SETTINGS), PerCompany(60), &[]),
        row(Op::ReadCompanyOptions, "GET", "/company-options", ApiUser(READ), PerCompany(60), &[]),
        row(Op::CreateLink, "POST", "/link/create", ApiUser(CREATE), PerCompany(60), &[FRAME, CHILD, REPORT_CLAIM]),
        row(Op::ReadLinkPage, "GET", "/link/:magicLinkToken", Public, PerAccessKey(180), &[ACCESS_KEY]),
        row(Op::ReadCapture, "GET", "/v2/capture", LinkHolder, PerAccessKey(300), &[]),
        row(Op::OpenCaptureCase, "POST", "/v2/capture/cases", LinkHolder, PerAccessKey(60), &[]),
        row(Op::ReadCaptureCase, "GET", "/v2/capture/cases/:caseId", Holder, PerAccessKey(300), &[CASE]),
        row(Op::AddCaptureEntry, "POST", "/v2/capture/cases/:caseId/entries", Holder, PerAccessKey(300), NEW_ITEM),
        row(Op::AnnounceCaptures, "POST", "/v2/capture/cases/:caseId/records", Holder, PerAccessKey(300), &[CASE]),
        row(Op::CloseCaptureCase, "POST", "/v2/capture/cases/:caseId/close", Holder, PerAccessKey(60), &[CASE]),
        row(Op::ReadReceiptKeys, "GET", "/v2/receipt-keys", Public, PerClient(120), &[]),
        row(Op::RequestRetake, "POST", "/v2/items/:itemId/retake", ApiUser(UPDATE), PerCompany(60), &[ITEM]),
        row(Op::CertifyPhoto, "POST", "/v2/photos", ApiUser(CREATE), PerCompany(60), &[FRAME, REPORT_CLAIM]),
        row(Op::SignInFieldUser, "POST", "/v2/field/sign-in", Public, PerCompany(200), &[]),
        row(Op::ReadFieldSession, "GET", "/v2/field/session", FieldUser, PerAccessKey(300), &[]),
        row(Op::SignOutFieldUser, "POST", "/v2/field/sign-out", FieldUser, PerAccessKey(60), &[]),
        row(Op::ListFieldCases, "GET", "/v2/field/cases", FieldUser, PerAccessKey(300), &[]),
        row(Op::OpenQuickCase, "POST", "/v2/field/cases", FieldUser, PerAccessKey(120), &[FRAME]),
        row(Op::ReadDecision, "GET", "/v2/cases/:caseId/decision", ApiUser(READ), PerCompany(60), &[CASE]),
        row(Op::DiscloseItems, "POST", "/v2/cases/:caseId/disclosure", ApiUser(READ), PerCompany(25), &[CASE, ITEM]),
        row(Op::EraseItems, "POST", "/v2/cases/:caseId/erasure", ApiUser(DELETE), PerCompany(60), &[CASE, ITEM]),
        row(Op::HoldCase, "POST", "/v2/cases/:caseId/hold", ApiUser(SETTINGS), PerCompany(60), &[CASE]),
        row(Op::EndHold, "DELETE", "/v2/cases/:caseId/hold", ApiUser(SETTINGS), PerCompany(60), &[CASE]),
        row(Op::ReadEvents, "GET", "/v2/events", ApiUser(READ), PerCompany(120), &[]),
        row(
            Op::TestCaseWebhook,
            "POST",
            "/v2/company-options/case-webhook/test",
            ApiUser(SETTINGS),
            PerCompany(5),
            &[],
        ),
        row(Op::ReadFieldPage, "GET", "/field", Public, PerClient(180), &[]),
        row(Op::StartFieldSignIn, "GET", "/field/sign-in", Public, PerClient(180), &[]),
        row(Op::FinishFieldSignIn, "GET", "/field/signed-in", Public, PerClient(180), &[]),
        row(Op::DescribeInterface, "GET", "/openapi.json", Public, PerClient(120), &[]),
        row(Op::ReadReference, "GET", "/docs", Public, PerClient(120), &[]),
        row(Op::CheckHealth, "GET", "/healthz", Public, Unlimited, &[]),
        row(Op::CheckReadiness, "GET", "/readyz", Public, Unlimited, &[]),
    ]
};

impl Operation {
    /// Every operation with its properties, in the order of the enum.
    pub fn all() -> &'static [Properties] {
        &TABLE
    }

    /// The name of the operation in generated code, in spans and in the description: `createCase`.
    pub fn name(self) -> String {
        let name = format!("{self:?}");
        name[..1].to_ascii_lowercase() + &name[1..]
    }

    pub fn properties(self) -> &'static Properties {
        &TABLE[self as usize]
    }

    /// The answer if what a request names does not exist.
    pub fn missing(self, kind: Kind, message: impl Into<String>) -> Refusal {
        self.refusal(kind, |resource| resource.missing, message.into())
    }

    /// The answer if the caller may not use what a request names.
    pub fn foreign(self, kind: Kind, message: impl Into<String>) -> Refusal {
        self.refusal(kind, |resource| resource.foreign, message.into())
    }

    fn refusal(self, kind: Kind, which: impl Fn(&Resource) -> Answer, message: String) -> Refusal {
        let properties = self.properties();
        let resource = properties.names.iter().find(|resource| resource.kind == kind);
        match resource.map(which) {
            Some(answer @ (Answer::Invalid | Answer::Forbidden | Answer::NotFound)) => Refusal { answer, message },
            // A use case asks for what its operation's row has: anything else is a bug, and no status can be right.
            Some(Answer::Accepted) | None => {
                let message = format!("{} has no answer about {kind:?}", properties.key());
                Refusal { answer: Answer::Accepted, message }
            }
        }
    }

    /// Finds an operation by `METHOD /path` exactly as [`Properties::key`] writes it.
    pub fn by_key(key: &str) -> Option<&'static Properties> {
        TABLE.iter().find(|properties| key == properties.key())
    }
}

impl Properties {
    /// `METHOD /path`: how a company manifest's `rate_limits` and the specification name the operation.
    pub fn key(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    /// Whether a `HEAD` may be answered as the operation's `GET` is. Closing is a GET too (spec 4.6 and 4.7), and link
    /// previews and monitors, which send a HEAD to look, must not end a case. Nor must they finish a sign-in.
    pub fn answers_head(&self) -> bool {
        let acts = [Operation::CloseCase, Operation::CloseCaseByLink, Operation::FinishFieldSignIn];
        self.method == "GET" && !acts.contains(&self.operation)
    }

    /// The path as the description writes it, with parameters as `{name}`.
    pub fn route(&self) -> String {
        let segment = |segment: &str| match segment.strip_prefix(':') {
            Some(name) => format!("{{{name}}}"),
            None => segment.to_owned(),
        };
        self.path.split('/').map(segment).collect::<Vec<_>>().join("/")
    }

    /// The path as the router reads it. The router rejects two names for a parameter in one place, and
    /// `/v2/items/:caseId/document` is there already.
    pub fn pattern(&self) -> String {
        self.route().replace("/v2/items/{itemId}/", "/v2/items/{caseId}/")
    }
}

const fn row(
    operation: Operation,
    method: &'static str,
    path: &'static str,
    caller: Caller,
    quota: Quota,
    names: &'static [Resource],
) -> Properties {
    Properties { operation, method, path, caller, quota, names }
}

#[cfg(test)]
mod tests;
