//! The bodies of requests, the parameters of a search, and an upload's `createItemDto`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sealwright_domain::{
    case::{
        CaseUpdate, NewCase,
        bulk::{CaseIds, CaseUpdates, NewCases},
    },
    company_options::NewApiSettings,
    credentials::SignIn,
    file_kind::FileKind,
    item::{LegacyEntry, NewEntry, NewItem},
    link::NewLink,
    report::ReportDownload,
    search::Search,
};
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    let _ = FileKind::of(bytes);
    let Ok(body) = serde_json::from_slice::<Value>(bytes) else {
        let text = String::from_utf8_lossy(bytes);
        let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
        let pairs: Vec<_> = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let _ = Search::read(&pairs);
        return;
    };
    let _ = (NewCase::read(&body), CaseUpdate::read(&body), NewEntry::read(&body), NewItem::read(&body));
    let _ = (LegacyEntry::read(&body), NewLink::read(&body, bytes), SignIn::read(&body));
    let _ = (NewCases::read(&body), CaseUpdates::read(&body), CaseIds::read(&body));
    let _ = (ReportDownload::read(&body), NewApiSettings::read(&body));
});
