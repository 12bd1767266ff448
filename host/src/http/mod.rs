//! The HTTP interface: a router that reads like the specification's table of contents, and one file for each resource.
//! Handlers read the request, call a use case of [`app`](crate::app) and write the answer; they hold no rules.
//!
//! Every request passes, from the outside in: [`connections`], which limits open connections; [`request`], which
//! assigns an identifier and turns a panic into a 500; [`request_body`], which limits the body's time and memory;
//! [`guard`], which authenticates, counts and checks rights as the operations' table says; then the handler.

mod access_key;
mod admin;
mod analysis;
mod assets;
mod body;
mod bounds;
mod capture;
mod case;
mod company_options;
mod connections;
mod console;
mod cookie;
mod disclosure;
mod early_answer;
mod entrance;
mod erasure;
mod error;
mod event;
mod field;
mod frame;
mod guard;
mod health;
mod host_header;
mod html;
mod idempotency;
mod item;
mod legal_hold;
mod link;
mod media;
mod multipart;
mod openapi;
mod openid;
mod parts;
mod photo;
mod proxies;
mod public;
mod rate_limit;
mod reference;
mod report;
mod request;
mod request_body;
mod seal_log;
mod search;
mod serve;
mod session;
mod share;
mod shared;
mod upload;
mod verify_page;
mod web_files;
mod witness;

use std::sync::Arc;

use axum::{
    Router,
    extract::DefaultBodyLimit,
    http::{HeaderValue, header::CONNECTION},
    middleware::{from_fn_with_state, map_response},
    response::Response,
    routing::{MethodRouter, delete, get, head, options, patch, post},
};

use self::bounds::Bounds;
pub use self::{
    admin::router as admin_router,
    connections::ConnectionLimits,
    reference::Reference,
    serve::{HttpListener, serve},
    shared::Shared,
};
use crate::{app::App, config::Config, domain::operation::Operation, error::Error};

/// Every operation that is served. `openapi/operations/` describes them.
fn routes() -> Vec<(Operation, MethodRouter<Shared>)> {
    vec![
        (Operation::CreateToken, post(session::create_token)),
        (Operation::ListFrames, get(frame::list)),
        (Operation::SearchCases, get(search::search)),
        (Operation::CreateCase, post(case::create)),
        (Operation::BulkCreateCases, post(case::create_all)),
        (Operation::CloseCase, get(case::close)),
        (Operation::CloseCaseByLink, get(case::close_by_link)),
        (Operation::UpdateCase, patch(case::update)),
        (Operation::BulkUpdateCases, patch(case::update_all)),
        (Operation::DeleteCase, delete(case::delete)),
        (Operation::BulkDeleteCases, post(case::delete_all)),
        (Operation::ReadAnalysis, get(analysis::read)),
        (Operation::ReadDecision, get(analysis::read_decision)),
        (Operation::DiscloseItems, post(disclosure::disclose)),
        (Operation::EraseItems, post(erasure::erase)),
        (Operation::HoldCase, post(legal_hold::hold)),
        (Operation::EndHold, delete(legal_hold::end)),
        (Operation::ReadEvents, get(event::read)),
        (Operation::TestCaseWebhook, post(company_options::test_case_webhook)),
        (Operation::UploadDocument, post(item::upload_document)),
        (Operation::CreateEntryItem, post(item::create_entry)),
        (Operation::UploadMedia, post(item::upload_capture)),
        (Operation::CreateLegacyItem, post(item::create_legacy)),
        (Operation::DescribeUploads, options(upload::describe)),
        (Operation::CreateUpload, post(upload::create)),
        (Operation::ReadUploadOffset, head(upload::offset)),
        (Operation::AppendToUpload, patch(upload::append)),
        (Operation::ReadUpload, get(upload::read)),
        (Operation::DeleteUpload, delete(upload::terminate)),
        (Operation::ReadReport, get(report::read)),
        (Operation::DownloadReport, post(report::download)),
        (Operation::ReadSharedCase, get(share::certificate)),
        (Operation::VerifySharedCase, get(share::verify)),
        (Operation::DownloadPackage, get(share::package)),
        (Operation::ReadSharedEvidence, get(share::evidence)),
        (Operation::ReadImage, get(media::image)),
        (Operation::ReadVideo, get(media::video)),
        (Operation::UpdateApiSettings, post(company_options::update_api_settings)),
        (Operation::ReadCompanyOptions, get(company_options::read)),
        (Operation::CreateLink, post(link::create)),
        (Operation::ReadLinkPage, get(link::page)),
        (Operation::CheckHealth, get(health::live)),
        (Operation::CheckReadiness, get(health::ready)),
        (Operation::ReadCapture, get(capture::view)),
        (Operation::OpenCaptureCase, post(capture::open_case)),
        (Operation::ReadCaptureCase, get(capture::read_case)),
        (Operation::AddCaptureEntry, post(capture::add_entry)),
        (Operation::ReadReceiptKeys, get(capture::receipt_keys)),
        (Operation::AnnounceCaptures, post(capture::announce)),
        (Operation::CloseCaptureCase, post(capture::close)),
        (Operation::RequestRetake, post(item::request_retake)),
        (Operation::CertifyPhoto, post(photo::certify)),
        (Operation::SignInFieldUser, post(field::sign_in)),
        (Operation::ReadFieldSession, get(field::session)),
        (Operation::SignOutFieldUser, post(field::sign_out)),
        (Operation::ListFieldCases, get(field::cases)),
        (Operation::OpenQuickCase, post(field::open_quick_case)),
        (Operation::ReadFieldPage, get(field::page)),
        (Operation::StartFieldSignIn, get(field::openid::start)),
        (Operation::FinishFieldSignIn, get(field::openid::callback)),
        (Operation::DescribeInterface, get(openapi::description)),
        (Operation::ReadReference, get(openapi::page)),
    ]
}

/// The routes while the server starts: they report that the process is up, and that it is not ready.
pub fn starting_router(config: &Config, most: ConnectionLimits) -> Router {
    let bounds = Bounds::new(config, most, Arc::default(), Arc::default());
    Router::new()
        .route("/healthz", get(health::live))
        .fallback(async || Error::NotReady {
            message: "not ready: the server is starting".to_owned(),
            retry_after_seconds: 5,
        })
        .layer(from_fn_with_state(Arc::clone(&bounds), request_body::watch))
        .layer(from_fn_with_state(bounds, request::request))
        // Another server takes over the listener: a connection that stays open would be cut off then.
        .layer(map_response(async |mut response: Response| {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            response
        }))
}

/// The public interface, for a listener with `most` connections.
pub fn router(app: Arc<App>, most: ConnectionLimits) -> Router {
    let shared = make_shared(app, most);
    let mut router = Router::new();
    for (operation, handler) in routes() {
        let guard = from_fn_with_state((shared.clone(), operation), guard::guard);
        // A HEAD runs the handler of GET unless it has its own.
        let head_is_refused = operation.properties().method == "GET" && !operation.properties().answers_head();
        let handler = handler.layer(guard);
        let handler =
            if upload::is_tus(operation) { handler.layer(map_response(upload::with_version)) } else { handler };
        let handler = if head_is_refused { handler.head(error::only_get).fallback(error::only_get) } else { handler };
        let route = operation.properties().pattern();
        if let (Operation::ReadReport | Operation::DownloadReport, Some(end)) = (operation, route.rfind('{')) {
            // A path that ends where the token should be is not unknown: it lacks the token, which is 400.
            router = router.route(&route[..end], handler.clone());
        }
        router = router.route(&route, handler);
    }
    let router = router
        .merge(entrance::routes(&shared))
        .merge(openapi::routes(&shared))
        .merge(seal_log::routes(&shared))
        .merge(witness::routes(&shared))
        .merge(assets::routes(&shared))
        .merge(verify_page::routes(&shared))
        .merge(console::routes(&shared));
    within_bounds(router, shared)
}

/// The public interface of a server that is a witness and nothing else.
pub fn witness_router(app: Arc<App>, most: ConnectionLimits) -> Router {
    let shared = make_shared(app, most);
    let router = Router::new()
        .route("/healthz", get(health::live))
        .route("/readyz", get(health::ready))
        .merge(witness::routes(&shared));
    within_bounds(router, shared)
}

fn make_shared(app: Arc<App>, most: ConnectionLimits) -> Shared {
    let reference = Arc::new(openapi::make(&app.config.base_url));
    let bounds = Bounds::new(&app.config, most, Arc::clone(&app.traffic), Arc::clone(&app.metrics));
    Shared { app, reference, bounds }
}

/// Adds what every request passes before it reaches its route.
fn within_bounds(router: Router<Shared>, shared: Shared) -> Router {
    router
        .fallback(async || Error::not_found("no such address"))
        .method_not_allowed_fallback(error::method_not_allowed)
        // Bodies are limited where they are read: a JSON body to 1 MiB, a file by its step.
        .layer(DefaultBodyLimit::disable())
        .layer(from_fn_with_state(Arc::clone(&shared.bounds), request_body::watch))
        .layer(from_fn_with_state(Arc::clone(&shared.bounds), request::request))
        .with_state(shared)
}
