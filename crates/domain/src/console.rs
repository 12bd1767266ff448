//! The console: roles of its users, and the one table of its pages and actions with the role that each needs and the
//! companies for which it may be used.

mod decision;
mod problem;
mod setting;

use std::fmt;

use strum::{EnumString, IntoStaticStr, VariantArray};

pub use self::{
    decision::{Decision, Outcome},
    problem::{FormProblem, LinkNumber},
    setting::SettingFault,
};
use super::id::CompanyId;

/// What a user of the console may do. Each role includes those before it.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, EnumString, IntoStaticStr, VariantArray, serde::Serialize,
)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Sees cases.
    Viewer,
    /// Decides on cases.
    Reviewer,
    /// Opens, closes and deletes cases, erases items, makes links, asks for other captures, sends webhooks again.
    Manager,
    /// Manages the users of a company, reads its audit log, and puts cases under legal hold.
    Administrator,
    /// Operates the installation, for all companies.
    Operator,
}

impl Role {
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

sealwright_base::text_column!(Role, "role of the console");

/// For which companies a user of the console may use what the role allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Every company: that of an operator.
    Installation,
    Company {
        id: CompanyId,
        with_children: bool,
    },
}

impl Scope {
    /// Whether the scope contains a company, given the company's parent.
    pub fn contains(self, company: CompanyId, parent: Option<CompanyId>) -> bool {
        match self {
            Self::Installation => true,
            Self::Company { id, with_children } => company == id || (with_children && parent == Some(id)),
        }
    }

    /// The company of the user; none for an operator.
    pub const fn company(self) -> Option<CompanyId> {
        match self {
            Self::Installation => None,
            Self::Company { id, .. } => Some(id),
        }
    }
}

/// A page of the console, or something that one of its forms does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    ShowHome,
    ShowSignIn,
    SignIn,
    ShowSecondFactor,
    ConfirmSecondFactor,
    SignOut,
    ShowAccount,
    ChangePassword,
    EndSession,
    StartSecondFactor,
    EnableSecondFactor,
    DisableSecondFactor,
    ListCases,
    ExportCases,
    ShowCase,
    ReadItemFile,
    ShowItemPage,
    DecideCase,
    RequestRetake,
    CloseCase,
    DeleteCase,
    ResendWebhook,
    RetryJob,
    ShowNewLink,
    CreateLink,
    ShowLink,
    EndLink,
    ListUsers,
    AddUser,
    ChangeUser,
    RemoveUser,
    ShowAudit,
    ExportAudit,
    ShowOperation,
    SaveFilter,
    DeleteFilter,
    ShowNewCase,
    OpenCase,
    ListCompanies,
    AddCompany,
    ShowCompany,
    KeepCompany,
    ChangeCompany,
    ShowFrame,
    ChangeFrame,
    PreviewFrame,
    ChangeCompanyUsers,
    ChangeWebhook,
    ChangePlugins,
    PreviewCertificate,
    ShowCertificate,
    StartOpenIdSignIn,
    FinishOpenIdSignIn,
    ReadItemPreview,
    ListBacktests,
    StartBacktest,
    ShowBacktest,
    StopBacktest,
    EraseItem,
    HoldCase,
    EndHold,
    AddPasskey,
    RemovePasskey,
    ExportAuditTable,
    DownloadPackage,
}

/// Who may use an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Anyone,
    /// A user whose password was right, and who still has to show the second factor.
    HalfSignedIn,
    /// A user with this role or a higher one.
    Role(Role),
}

/// What an action's path names, and so whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Nothing: what the action shows is limited to the user's companies.
    None,
    /// A case; its company must be one of the user's.
    Case,
    /// A company, which must be one of the user's.
    Company,
    /// An item of a case.
    Item,
    /// A link; its company must be one of the user's.
    Link,
    /// A user of the console; its companies must be among those of the user.
    User,
    /// A recorded attempt of a webhook, of a case.
    Attempt,
    /// A job about a case.
    Job,
    /// One of the user's own sessions.
    OwnSession,
    /// One of the searches that the user keeps.
    OwnFilter,
    /// One of the user's own passkeys.
    OwnPasskey,
    /// A backtest of the installation.
    Backtest,
}

/// The fixed properties of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionProperties {
    pub action: Action,
    pub method: &'static str,
    /// As the router reads it.
    pub path: &'static str,
    pub access: Access,
    pub names: Subject,
}

const TABLE: [ActionProperties; 65] = {
    use Access::{Anyone, HalfSignedIn, Role as R};
    use Action as A;
    use Role::{Administrator, Manager, Operator, Reviewer, Viewer};
    use Subject as S;
    [
        row(A::ShowHome, "GET", "/console", R(Viewer), S::None),
        row(A::ShowSignIn, "GET", "/console/sign-in", Anyone, S::None),
        row(A::SignIn, "POST", "/console/sign-in", Anyone, S::None),
        row(A::ShowSecondFactor, "GET", "/console/second-factor", HalfSignedIn, S::None),
        row(A::ConfirmSecondFactor, "POST", "/console/second-factor", HalfSignedIn, S::None),
        row(A::SignOut, "POST", "/console/sign-out", HalfSignedIn, S::None),
        row(A::ShowAccount, "GET", "/console/account", R(Viewer), S::None),
        row(A::ChangePassword, "POST", "/console/account/password", R(Viewer), S::None),
        row(A::EndSession, "POST", "/console/account/sessions/{session}/end", R(Viewer), S::OwnSession),
        row(A::StartSecondFactor, "POST", "/console/account/second-factor/start", R(Viewer), S::None),
        row(A::EnableSecondFactor, "POST", "/console/account/second-factor/enable", R(Viewer), S::None),
        row(A::DisableSecondFactor, "POST", "/console/account/second-factor/disable", R(Viewer), S::None),
        row(A::ListCases, "GET", "/console/cases", R(Viewer), S::None),
        row(A::ExportCases, "GET", "/console/cases.csv", R(Viewer), S::None),
        row(A::ShowCase, "GET", "/console/cases/{case}", R(Viewer), S::Case),
        row(A::ReadItemFile, "GET", "/console/cases/{case}/items/{item}/file", R(Viewer), S::Item),
        row(A::ShowItemPage, "GET", "/console/cases/{case}/items/{item}/pages/{page}", R(Viewer), S::Item),
        row(A::DecideCase, "POST", "/console/cases/{case}/decision", R(Reviewer), S::Case),
        row(A::RequestRetake, "POST", "/console/cases/{case}/items/{item}/retake", R(Manager), S::Item),
        row(A::CloseCase, "POST", "/console/cases/{case}/close", R(Manager), S::Case),
        row(A::DeleteCase, "POST", "/console/cases/{case}/delete", R(Manager), S::Case),
        row(A::ResendWebhook, "POST", "/console/cases/{case}/attempts/{attempt}/resend", R(Manager), S::Attempt),
        row(A::RetryJob, "POST", "/console/cases/{case}/jobs/{job}/retry", R(Manager), S::Job),
        row(A::ShowNewLink, "GET", "/console/links", R(Manager), S::None),
        row(A::CreateLink, "POST", "/console/links", R(Manager), S::None),
        row(A::ShowLink, "GET", "/console/links/{link}", R(Manager), S::Link),
        row(A::EndLink, "POST", "/console/links/{link}/end", R(Manager), S::Link),
        row(A::ListUsers, "GET", "/console/users", R(Administrator), S::None),
        row(A::AddUser, "POST", "/console/users", R(Administrator), S::None),
        row(A::ChangeUser, "POST", "/console/users/{user}", R(Administrator), S::User),
        row(A::RemoveUser, "POST", "/console/users/{user}/remove", R(Administrator), S::User),
        row(A::ShowAudit, "GET", "/console/audit", R(Administrator), S::None),
        row(A::ExportAudit, "GET", "/console/audit.jsonl", R(Administrator), S::None),
        row(A::ShowOperation, "GET", "/console/operation", R(Operator), S::None),
        row(A::SaveFilter, "POST", "/console/filters", R(Viewer), S::None),
        row(A::DeleteFilter, "POST", "/console/filters/{filter}/delete", R(Viewer), S::OwnFilter),
        row(A::ShowNewCase, "GET", "/console/cases/new", R(Manager), S::None),
        row(A::OpenCase, "POST", "/console/cases", R(Manager), S::None),
        row(A::ListCompanies, "GET", "/console/companies", R(Administrator), S::None),
        row(A::AddCompany, "POST", "/console/companies", R(Operator), S::None),
        row(A::ShowCompany, "GET", "/console/companies/{company}", R(Administrator), S::Company),
        row(A::KeepCompany, "POST", "/console/companies/{company}/keep", R(Operator), S::Company),
        row(A::ChangeCompany, "POST", "/console/companies/{company}/settings", R(Administrator), S::Company),
        row(A::ShowFrame, "GET", "/console/companies/{company}/frames/{frame}", R(Administrator), S::Company),
        row(A::ChangeFrame, "POST", "/console/companies/{company}/frames/{frame}", R(Administrator), S::Company),
        row(
            A::PreviewFrame,
            "GET",
            "/console/companies/{company}/frames/{frame}/preview",
            R(Administrator),
            S::Company,
        ),
        row(A::ChangeCompanyUsers, "POST", "/console/companies/{company}/users", R(Administrator), S::Company),
        row(A::ChangeWebhook, "POST", "/console/companies/{company}/webhooks/{kind}", R(Administrator), S::Company),
        row(A::ChangePlugins, "POST", "/console/companies/{company}/plugins", R(Administrator), S::Company),
        row(A::PreviewCertificate, "GET", "/console/companies/{company}/certificate.pdf", R(Administrator), S::Company),
        row(A::ShowCertificate, "GET", "/console/cases/{case}/certificate", R(Viewer), S::Case),
        row(A::StartOpenIdSignIn, "GET", "/console/sign-in/openid", Anyone, S::None),
        row(A::FinishOpenIdSignIn, "GET", "/console/sign-in/openid/callback", Anyone, S::None),
        row(A::ReadItemPreview, "GET", "/console/cases/{case}/items/{item}/preview", R(Viewer), S::Item),
        row(A::ListBacktests, "GET", "/console/backtests", R(Operator), S::None),
        row(A::StartBacktest, "POST", "/console/backtests", R(Operator), S::None),
        row(A::ShowBacktest, "GET", "/console/backtests/{backtest}", R(Operator), S::Backtest),
        row(A::StopBacktest, "POST", "/console/backtests/{backtest}/stop", R(Operator), S::Backtest),
        row(A::EraseItem, "POST", "/console/cases/{case}/items/{item}/erase", R(Manager), S::Item),
        row(A::HoldCase, "POST", "/console/cases/{case}/hold", R(Administrator), S::Case),
        row(A::EndHold, "POST", "/console/cases/{case}/hold/end", R(Administrator), S::Case),
        row(A::AddPasskey, "POST", "/console/account/passkeys", R(Viewer), S::None),
        row(A::RemovePasskey, "POST", "/console/account/passkeys/{passkey}/remove", R(Viewer), S::OwnPasskey),
        row(A::ExportAuditTable, "GET", "/console/audit.csv", R(Administrator), S::None),
        row(A::DownloadPackage, "GET", "/console/cases/{case}/package", R(Viewer), S::Case),
    ]
};

impl Action {
    /// Every action with its properties, in the order of the enum.
    pub fn all() -> &'static [ActionProperties] {
        &TABLE
    }

    pub fn properties(self) -> &'static ActionProperties {
        &TABLE[self as usize]
    }

    /// The name in the audit log and in spans: `decideCase`.
    pub fn name(self) -> String {
        let name = format!("{self:?}");
        name[..1].to_ascii_lowercase() + &name[1..]
    }

    /// The lowest role that may use the action; none if it needs no role.
    pub const fn role(self) -> Option<Role> {
        match TABLE[self as usize].access {
            Access::Role(role) => Some(role),
            Access::Anyone | Access::HalfSignedIn => None,
        }
    }
}

const fn row(
    action: Action,
    method: &'static str,
    path: &'static str,
    access: Access,
    names: Subject,
) -> ActionProperties {
    ActionProperties { action, method, path, access, names }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_enum_and_names_no_path_twice() {
        let mut keys = BTreeSet::new();
        for (position, properties) in Action::all().iter().enumerate() {
            assert_eq!(properties.action as usize, position, "{}", properties.path);
            assert!(keys.insert((properties.method, properties.path)), "{} twice", properties.path);
        }
        assert_eq!(Action::DownloadPackage as usize + 1, Action::all().len());
    }

    #[test]
    fn a_role_includes_those_before_it() {
        assert!(Role::VARIANTS.is_sorted());
        assert_eq!(Role::VARIANTS.len(), 5);
        assert_eq!("manager".parse(), Ok(Role::Manager));
        assert!("Manager".parse::<Role>().is_err());
    }

    #[test]
    fn a_scope_contains_its_company_and_its_children_if_it_says_so() {
        let [own, child, foreign] = [1, 2, 3].map(|id| CompanyId::new(id).expect("positive"));
        let narrow = Scope::Company { id: own, with_children: false };
        let wide = Scope::Company { id: own, with_children: true };
        assert!(narrow.contains(own, None) && !narrow.contains(child, Some(own)) && !narrow.contains(foreign, None));
        assert!(wide.contains(own, None) && wide.contains(child, Some(own)) && !wide.contains(foreign, Some(child)));
        assert!(Scope::Installation.contains(foreign, None));
    }
}
