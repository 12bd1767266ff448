//! The one case that all examples describe, so that readers of several recognise it.

use sealwright_seal::Sha256Digest;

use crate::{
    app::appearance::AppearanceView,
    clock::Timestamp,
    domain::{
        appearance::{Colour, Palette},
        case::CaseReference,
        id::{CaseId, CompanyId, FrameId, ItemId, StepId},
        item::ItemReference,
        report::ReportToken,
    },
};

pub(super) const COMPANY: CompanyId = CompanyId::new(7).expect("7 is positive");
pub(super) const FRAME: FrameId = FrameId::new(70).expect("70 is positive");
pub(super) const PHOTO_STEP: StepId = StepId::new(701).expect("701 is positive");
pub(super) const NAME_STEP: StepId = StepId::new(702).expect("702 is positive");
pub(super) const DOCUMENT_STEP: StepId = StepId::new(703).expect("703 is positive");
pub(super) const CASE: CaseId = CaseId::new(4711).expect("4711 is positive");
pub(super) const ITEM: ItemId = ItemId::new(20_311).expect("20311 is positive");
pub(super) const LINK_TOKEN: &str = "0d7c3a5e-54a3-4b8a-9d6e-2f1b8c7d6e5f";
pub(super) const REPORT_TOKEN: &str = "claim-2026-0042";
pub(super) const KEY: &str = "9f86d081884c7d659a2feaa0c55ad015";
/// The start of a compact JWS.
pub(super) const RECEIPT: &str = "eyJ0eXAiOiJjYXB0dXJlLXJlY2VpcHQrandzIiwiYWxnIjoiRWREU0EifQ.eyJjYXB0dXJlSWQiOiI….…";
/// A capture record, a compact JWS. Its session is [`SESSION`].
pub(super) const CAPTURE_RECORD: &str = concat!(
    "eyJhbGciOiJFUzI1NiIsInR5cCI6ImNhcHR1cmUtcmVjb3JkK2p3cyIsImp3ayI6eyJrdHkiOiJFQyIsImNydiI6IlAtMjU2IiwieCI6Ik1PU0N2Z0hfcnk1MGtRSHRzSS0yV0o4Y1NCbWFQMS1teS1rR3VmY2NmZm8iLCJ5IjoiOWpwMU54bTJhaWJMckEtNkNoR2RIWHpnMWhhNS1mWFBWUmF5b3JfV3I1MCJ9fQ.",
    "eyJjYXNlSWQiOjQ3MTEsInNlcXVlbmNlIjowLCJwcmV2aW91cyI6bnVsbCwiZXZlbnQiOiJ0YWtlbiIsImF0IjoiMjAyNi0xMS0yMFQxMDo0MjoxNy4wMDArMDE6MDAiLCJjYXB0dXJlSWQiOiI3ZDQ0NDg0MC05ZGMwLTQxZDEtYjI0NS01ZmZkY2U3NGZhZDIiLCJzdGVwSWQiOjcwMSwic2hhMjU2IjoiOWY4NmQwODE4ODRjN2Q2NTlhMmZlYWEwYzU1YWQwMTVhM2JmNGYxYjJiMGI4MjJjZDE1ZDZjMTViMGYwMGEwOCIsInNpemUiOjMxNDU3Mjh9.",
    "1PwRVLZ-U9BuccfmYsS9C-2SW1VClbgS_cSkss1EvmvRgtE5vWaVpSHw8J7-mueUBRYONKbZOW1G2xVQLC0uAw"
);
pub(super) const SESSION: &str = "KvOP4Kb0rYkisL27L9evfy43yPGNUvu10wViXcqvQ6E";
pub(super) const TITLE: &str = "Burst pipe in the kitchen";
pub(super) const FRAME_NAME: &str = "Water damage";
pub(super) const COMPANY_NAME: &str = "Acme Insurance";
/// 2026-11-20T10:00:00Z
pub(super) const CREATED: Timestamp = Timestamp::from_millis(1_795_168_800_000);
/// An hour later.
pub(super) const CLOSED: Timestamp = Timestamp::from_millis(1_795_172_400_000);

/// With the digest of a logo.
pub(super) fn appearance() -> AppearanceView {
    let colour = "#0b5fa5".parse::<Colour>();
    AppearanceView {
        palette: colour.ok().map(Palette::of),
        logo_url: Some(url(&format!("/logos/{}", Sha256Digest::of("logo")))),
    }
}

pub(super) fn case_reference() -> String {
    CaseReference { case: CASE, company: COMPANY }.to_string()
}

pub(super) fn item_reference() -> String {
    ItemReference { item: ITEM, case: CASE }.to_string()
}

pub(super) fn report_token() -> ReportToken {
    ReportToken::parse(REPORT_TOKEN).expect("the example is a report token")
}

/// `path` below the root of the example server.
pub(super) fn url(path: &str) -> String {
    format!("https://sealwright.example{path}")
}
