//! The console at `/console`: pages made on the server, which work without scripts. `domain::console` has the one table of
//! pages and actions with their roles; [`guard`] enforces it.

mod account;
mod audit;
mod backtests;
mod case;
mod cases;
mod certificate;
mod companies;
mod form;
mod frame_choice;
mod guard;
mod layout;
mod links;
mod openid;
mod operation;
mod passkey;
mod passkey_forms;
mod problem;
mod second_factor;
mod sign_in;
mod users;
mod verdict;
mod visit;
mod words;

use axum::{
    Router,
    middleware::from_fn_with_state,
    routing::{MethodRouter, get, post},
};

use super::{error::only_get, shared::Shared};
use crate::domain::console::Action;

/// Every action that is served.
fn handlers() -> Vec<(Action, MethodRouter<Shared>)> {
    vec![
        (Action::ShowHome, get(sign_in::home)),
        (Action::ShowSignIn, get(sign_in::show)),
        (Action::SignIn, post(sign_in::sign_in)),
        (Action::ShowSecondFactor, get(second_factor::show)),
        (Action::ConfirmSecondFactor, post(second_factor::confirm)),
        (Action::SignOut, post(sign_in::sign_out)),
        (Action::ShowAccount, get(account::show)),
        (Action::ChangePassword, post(account::change_password)),
        (Action::EndSession, post(account::end_session)),
        (Action::StartSecondFactor, post(second_factor::start)),
        (Action::EnableSecondFactor, post(second_factor::enable)),
        (Action::DisableSecondFactor, post(second_factor::disable)),
        (Action::ListCases, get(cases::list)),
        (Action::ExportCases, get(cases::export)),
        (Action::ShowCase, get(case::show)),
        (Action::ReadItemFile, get(case::file)),
        (Action::ShowItemPage, get(case::item_page)),
        (Action::DecideCase, post(case::decide)),
        (Action::RequestRetake, post(case::request_retake)),
        (Action::CloseCase, post(case::close)),
        (Action::DeleteCase, post(case::delete)),
        (Action::ResendWebhook, post(case::resend)),
        (Action::RetryJob, post(case::retry_job)),
        (Action::ShowNewLink, get(links::show_new)),
        (Action::CreateLink, post(links::create)),
        (Action::ShowLink, get(links::show)),
        (Action::EndLink, post(links::end)),
        (Action::ListUsers, get(users::list)),
        (Action::AddUser, post(users::add)),
        (Action::ChangeUser, post(users::change)),
        (Action::RemoveUser, post(users::remove)),
        (Action::ShowAudit, get(audit::show)),
        (Action::ExportAudit, get(audit::export)),
        (Action::ShowOperation, get(operation::show)),
        (Action::SaveFilter, post(cases::save_filter)),
        (Action::DeleteFilter, post(cases::delete_filter)),
        (Action::ShowNewCase, get(cases::new::show)),
        (Action::OpenCase, post(cases::new::open)),
        (Action::ListCompanies, get(companies::list)),
        (Action::AddCompany, post(companies::add)),
        (Action::ShowCompany, get(companies::show)),
        (Action::KeepCompany, post(companies::keep)),
        (Action::ChangeCompany, post(companies::settings::change)),
        (Action::ShowFrame, get(companies::frame::show)),
        (Action::ChangeFrame, post(companies::frame::change)),
        (Action::PreviewFrame, get(companies::frame::preview)),
        (Action::ChangeCompanyUsers, post(companies::users::change)),
        (Action::ChangeWebhook, post(companies::webhooks::change)),
        (Action::ChangePlugins, post(companies::plugins::change)),
        (Action::PreviewCertificate, get(companies::sample_certificate)),
        (Action::ShowCertificate, get(certificate::show)),
        (Action::StartOpenIdSignIn, get(openid::start)),
        // A HEAD, as link previews send it, must not finish a sign-in.
        (Action::FinishOpenIdSignIn, get(openid::callback).head(only_get)),
        (Action::ReadItemPreview, get(case::preview::show)),
        (Action::ListBacktests, get(backtests::list)),
        (Action::StartBacktest, post(backtests::start)),
        (Action::ShowBacktest, get(backtests::show)),
        (Action::StopBacktest, post(backtests::stop)),
        (Action::EraseItem, post(case::erase_item)),
        (Action::HoldCase, post(case::hold)),
        (Action::EndHold, post(case::end_hold)),
        (Action::AddPasskey, post(passkey::add)),
        (Action::RemovePasskey, post(passkey::remove)),
        (Action::ExportAuditTable, get(audit::export_table)),
        (Action::DownloadPackage, get(certificate::package)),
    ]
}

pub(super) fn routes(shared: &Shared) -> Router<Shared> {
    let mut router = Router::new();
    for (action, handler) in handlers() {
        let guard = from_fn_with_state((shared.clone(), action), guard::guard);
        router = router.route(action.properties().path, handler.layer(guard));
    }
    router
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::console::Access;

    /// In the tests' own words: `{case}`, `{item}`, `{link}`, `{user}`, `{company}` and `{frame}` are real ones, other
    /// numbers do not exist.
    #[test]
    fn every_address_is_walked_by_every_role() {
        let walk = include_str!("../../../tests/black_box/console/walk.rs");
        let number = |path: &str, name: &str| path.replace(name, "999999");
        for properties in Action::all() {
            let mut path = properties.path.replace("{page}", "1").replace("{kind}", "case");
            for name in ["{attempt}", "{job}", "{session}", "{filter}", "{backtest}", "{passkey}"] {
                path = number(&path, name);
            }
            let of_unknown = number(&path, "{user}");
            let method = properties.method.to_lowercase();
            let is_walked = [&path, &of_unknown].into_iter().any(|path| walk.contains(&format!("{method}(\"{path}\"")));
            let needs_role = matches!(properties.access, Access::Role(_));
            assert!(is_walked || !needs_role, "{method} {path}");
        }
    }

    #[test]
    fn every_action_of_the_table_has_a_handler() {
        let handled: Vec<Action> = handlers().into_iter().map(|(action, _)| action).collect();
        let listed: Vec<Action> = Action::all().iter().map(|properties| properties.action).collect();
        assert_eq!(handled, listed);
    }
}
