//! Where a backtest is shown, and how far it is.

use maud::{Markup, html};

use crate::{
    app::console::backtest::{BacktestState, StoredBacktest},
    domain::id::BacktestId,
    http::link::Language,
};

pub(super) const ADDRESS: &str = "/console/backtests";

pub(super) fn address(id: BacktestId) -> String {
    format!("{ADDRESS}/{id}")
}

/// How far it is, in words.
pub(super) fn state(stored: &StoredBacktest, language: Language) -> Markup {
    let StoredBacktest { seen, total, .. } = stored;
    let of = format!("{seen} {} {total} {}", language.pick("of", "sur"), language.pick("cases", "dossiers"));
    match stored.state {
        BacktestState::Open if stored.stop_requested_at.is_some() => html! {
            (language.pick("is being stopped", "arrêt en cours"))
        },
        BacktestState::Open if *total == 0 => html! { (language.pick("waits for its turn", "attend son tour")) },
        BacktestState::Open => html! { (language.pick("runs: ", "en cours\u{a0}: ")) (of) },
        BacktestState::Done => html! { (language.pick("done: ", "terminé\u{a0}: ")) (of) (changed(stored, language)) },
        BacktestState::Stopped => html! {
            (language.pick("stopped: ", "arrêté\u{a0}: ")) (of) (changed(stored, language))
        },
        BacktestState::Failed => html! {
            span.found { (language.pick("failed", "échec")) }
            @if let Some(error) = &stored.error { ": " span lang="en" { (error) } }
        },
    }
}

fn changed(stored: &StoredBacktest, language: Language) -> Markup {
    html! {
        @if let Some(changed) = stored.levels_changed {
            ", " (changed) (language.pick(" would change their level", " changeraient de niveau"))
        }
    }
}
