//! The texts and examples of all operations, one file for each resource. An operation that is added to the table must
//! be described here, or this does not compile.

mod bulk;
mod capture;
mod case;
mod company_options;
mod disclosure;
mod event;
mod field;
mod frame;
mod item;
mod legal_hold;
mod link;
mod media;
mod photo;
mod report;
mod search;
mod server;
mod session;
mod upload;

use super::description::Description;
use crate::domain::operation::Operation;

/// The description of an operation.
pub(super) fn describe(operation: Operation) -> Description {
    use Operation as Op;
    match operation {
        Op::CreateToken => session::create_token(),
        Op::ListFrames => frame::list(),
        Op::SearchCases => search::search(),
        Op::CreateCase => case::create(),
        Op::BulkCreateCases => bulk::create(),
        Op::CloseCase => case::close(),
        Op::CloseCaseByLink => case::close_by_link(),
        Op::UpdateCase => case::update(),
        Op::BulkUpdateCases => bulk::update(),
        Op::DeleteCase => case::delete(),
        Op::BulkDeleteCases => bulk::delete(),
        Op::ReadAnalysis => case::analysis(),
        Op::ReadDecision => case::decision(),
        Op::DiscloseItems => disclosure::disclose(),
        Op::EraseItems => disclosure::erase(),
        Op::HoldCase => legal_hold::hold(),
        Op::EndHold => legal_hold::end(),
        Op::ReadEvents => event::read(),
        Op::UploadDocument => item::upload_document(),
        Op::CreateEntryItem => item::create_entry(),
        Op::UploadMedia => item::upload_capture(),
        Op::CreateLegacyItem => item::create_legacy(),
        Op::DescribeUploads => upload::describe(),
        Op::CreateUpload => upload::create(),
        Op::ReadUploadOffset => upload::offset(),
        Op::AppendToUpload => upload::append(),
        Op::ReadUpload => upload::read(),
        Op::DeleteUpload => upload::terminate(),
        Op::ReadReport => report::read(),
        Op::DownloadReport => report::download(),
        Op::ReadImage => media::image(),
        Op::ReadVideo => media::video(),
        Op::ReadSharedCase => media::certificate(),
        Op::UpdateApiSettings => company_options::update_api_settings(),
        Op::TestCaseWebhook => company_options::test_case_webhook(),
        Op::ReadCompanyOptions => company_options::read(),
        Op::CreateLink => link::create(),
        Op::ReadLinkPage => link::page(),
        Op::ReadCapture => capture::view(),
        Op::OpenCaptureCase => capture::open_case(),
        Op::ReadCaptureCase => capture::read_case(),
        Op::AddCaptureEntry => capture::add_entry(),
        Op::ReadReceiptKeys => capture::receipt_keys(),
        Op::AnnounceCaptures => capture::announce(),
        Op::CloseCaptureCase => capture::close(),
        Op::RequestRetake => item::request_retake(),
        Op::CertifyPhoto => photo::certify(),
        Op::SignInFieldUser => field::sign_in(),
        Op::ReadFieldSession => field::session(),
        Op::SignOutFieldUser => field::sign_out(),
        Op::ListFieldCases => field::cases(),
        Op::OpenQuickCase => field::open_quick_case(),
        Op::ReadFieldPage => field::page(),
        Op::StartFieldSignIn => field::start(),
        Op::FinishFieldSignIn => field::finish(),
        Op::DescribeInterface => server::description(),
        Op::ReadReference => server::page(),
        Op::CheckHealth => server::live(),
        Op::CheckReadiness => server::ready(),
        Op::VerifySharedCase => media::verification(),
        Op::DownloadPackage => media::package(),
        Op::ReadSharedEvidence => media::evidence(),
    }
}
