//! The one table of the interface's operations: method, path, who may call, and how many calls a minute (spec 4 and 8,
//! decisions 1 and 11). The router, the rate limiter and the company manifest all read it.

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
    ReadReport,
    DownloadReport,
    ReadImage,
    ReadVideo,
    ReadSharedCase,
    VerifySharedCase,
    UpdateApiSettings,
    ReadCompanyOptions,
    CreateLink,
    DescribeInterface,
    ReadReference,
    CheckHealth,
    CheckReadiness,
}

/// What is fixed about an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Properties {
    pub operation: Operation,
    pub method: &'static str,
    /// From the server's root, with parameters as `:name`, as spec 4 writes it.
    pub path: &'static str,
    pub caller: Caller,
    pub quota: Quota,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// Whoever holds a bearer token.
    ApiUser,
    /// Anybody.
    Public,
}

/// How many requests are accepted in any 60 seconds when the company manifest says nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quota {
    /// Counted for each company; a company manifest can set another number.
    PerCompany(u32),
    /// Counted for each access key (one image, one report token); unknown keys share one counter.
    PerAccessKey(u32),
    Unlimited,
}

const TABLE: [Properties; 29] = {
    use Caller::{ApiUser, Public};
    use Operation as Op;
    use Quota::{PerAccessKey, PerCompany, Unlimited};
    [
        row(Op::CreateToken, "POST", "/auth/token", Public, PerCompany(200)),
        row(Op::ListFrames, "GET", "/frames", ApiUser, PerCompany(60)),
        row(Op::SearchCases, "GET", "/cases", ApiUser, PerCompany(5)),
        row(Op::CreateCase, "POST", "/cases/create", ApiUser, PerCompany(60)),
        row(Op::BulkCreateCases, "POST", "/cases/bulk-create", ApiUser, PerCompany(10)),
        row(Op::CloseCase, "GET", "/cases/close/:caseId", ApiUser, PerCompany(60)),
        row(Op::CloseCaseByLink, "GET", "/cases/close/link/:magicLinkToken", ApiUser, PerCompany(60)),
        row(Op::UpdateCase, "PATCH", "/cases/update", ApiUser, PerCompany(60)),
        row(Op::BulkUpdateCases, "PATCH", "/cases/bulk-update", ApiUser, PerCompany(10)),
        row(Op::DeleteCase, "DELETE", "/cases/delete/:caseId", ApiUser, PerCompany(60)),
        row(Op::BulkDeleteCases, "POST", "/cases/bulk-delete", ApiUser, PerCompany(10)),
        row(Op::ReadAnalysis, "GET", "/cases/:caseId/analysis", ApiUser, PerCompany(60)),
        row(Op::UploadDocument, "POST", "/v2/items/:caseId/document", ApiUser, PerCompany(60)),
        row(Op::CreateEntryItem, "POST", "/v2/items/create", ApiUser, PerCompany(60)),
        row(Op::UploadMedia, "POST", "/v2/items/:caseId", ApiUser, PerCompany(60)),
        row(Op::CreateLegacyItem, "POST", "/api/items", ApiUser, PerCompany(60)),
        row(Op::ReadReport, "GET", "/reports/:reportToken", Public, PerAccessKey(100)),
        row(Op::DownloadReport, "POST", "/reports/report/:reportToken", ApiUser, PerCompany(25)),
        row(Op::ReadImage, "GET", "/images/:imageUrl", Public, PerAccessKey(500)),
        row(Op::ReadVideo, "GET", "/medias/video/:videoUrl", Public, PerAccessKey(500)),
        row(Op::ReadSharedCase, "GET", "/share/case/:shareToken", Public, PerAccessKey(180)),
        row(Op::VerifySharedCase, "GET", "/share/case/:shareToken/verify", Public, PerAccessKey(60)),
        row(Op::UpdateApiSettings, "POST", "/company-options/api-settings", ApiUser, PerCompany(60)),
        row(Op::ReadCompanyOptions, "GET", "/company-options", ApiUser, PerCompany(60)),
        row(Op::CreateLink, "POST", "/link/create", ApiUser, PerCompany(60)),
        row(Op::DescribeInterface, "GET", "/openapi.json", Public, Unlimited),
        row(Op::ReadReference, "GET", "/docs", Public, Unlimited),
        row(Op::CheckHealth, "GET", "/healthz", Public, Unlimited),
        row(Op::CheckReadiness, "GET", "/readyz", Public, Unlimited),
    ]
};

impl Operation {
    /// Every operation with its properties, in the order of the enum.
    pub fn all() -> &'static [Properties] {
        &TABLE
    }

    pub fn properties(self) -> &'static Properties {
        &TABLE[self as usize]
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

    /// The path as the router writes it, with parameters as `{name}`.
    pub fn route(&self) -> String {
        let segment = |segment: &str| match segment.strip_prefix(':') {
            Some(name) => format!("{{{name}}}"),
            None => segment.to_owned(),
        };
        self.path.split('/').map(segment).collect::<Vec<_>>().join("/")
    }
}

const fn row(
    operation: Operation,
    method: &'static str,
    path: &'static str,
    caller: Caller,
    quota: Quota,
) -> Properties {
    Properties { operation, method, path, caller, quota }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_table_stands_in_the_order_of_the_enum() {
        for (position, properties) in Operation::all().iter().enumerate() {
            assert_eq!(properties.operation as usize, position, "{}", properties.key());
            assert_eq!(properties.operation.properties(), properties);
        }
        assert_eq!(Operation::CheckReadiness as usize + 1, Operation::all().len());
    }

    #[test]
    fn no_two_operations_share_method_and_path() {
        let keys: BTreeSet<_> = Operation::all().iter().map(Properties::key).collect();
        assert_eq!(keys.len(), Operation::all().len());
    }

    #[test]
    fn an_operation_is_found_by_the_specification_s_words() {
        let found = Operation::by_key("POST /v2/items/:caseId/document").unwrap();
        assert_eq!(found.operation, Operation::UploadDocument);
        assert_eq!(Operation::by_key("POST /v2/items/{caseId}/document"), None);
        assert_eq!(Operation::by_key("post /cases/create"), None);
    }

    #[test]
    fn a_route_has_its_parameters_in_braces() {
        assert_eq!(Operation::CloseCaseByLink.properties().route(), "/cases/close/link/{magicLinkToken}");
        assert_eq!(Operation::SearchCases.properties().route(), "/cases");
    }

    #[test]
    fn the_quotas_are_those_of_spec_8() {
        let quota = |operation: Operation| operation.properties().quota;
        assert_eq!(quota(Operation::CreateToken), Quota::PerCompany(200));
        assert_eq!(quota(Operation::SearchCases), Quota::PerCompany(5));
        assert_eq!(quota(Operation::DownloadReport), Quota::PerCompany(25));
        assert_eq!(quota(Operation::ReadReport), Quota::PerAccessKey(100));
        assert_eq!(quota(Operation::ReadSharedCase), Quota::PerAccessKey(180));
        assert_eq!(quota(Operation::UpdateCase), Quota::PerCompany(60));
    }
}
