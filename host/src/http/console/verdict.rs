//! How the numbers of a case came about, as a tree: signals, documents, their checks, and what each plugin found where.

use maud::{Markup, html};

use super::words::{self, Names};
use crate::{
    app::analysis::explain::{ExplainedItem, Explanation},
    domain::analysis::{
        AnalysisProgress, TrustLevel,
        judgement::{Finding, FindingState},
        score::{Part, Sum},
    },
    http::link::Language,
};

/// How many parts the sentence above the verdict names.
const MOST_REASONS: usize = 3;
/// What costs less is not a reason.
const LEAST_POINTS: f64 = 0.1;

/// The verdict with everything that it rests on.
pub(super) fn tree(explanation: &Explanation, names: &Names<'_>) -> Markup {
    let language = names.language;
    let analysis = &explanation.analysis;
    html! {
        section #verdict {
            h2 { (language.pick("Verdict", "Verdict")) }
            // Without a verdict the numbers would look like one.
            @if explanation.verdict.is_some() {
                p.verdict {
                    (level(analysis.trust_level, language)) " "
                    strong { (analysis.trust_score) } (language.pick(" of 100", " sur 100"))
                }
                @if let Some(advice) = advice(analysis.trust_level, language) { p.small { (advice) } }
            }
            @match &explanation.verdict {
                None => p { (language.pick("No verdict yet: these are the results so far.", "Pas encore de verdict : voici les résultats jusqu’ici.")) },
                Some(verdict) => {
                    @if verdict.progress == AnalysisProgress::Failed {
                        p.alert {
                            (language.pick(
                                "A document was not examined in time. The score is partial: do not accept the case without looking.",
                                "Un document n’a pas été examiné à temps. Le score est partiel : n’acceptez pas le dossier sans regarder.",
                            ))
                        }
                    }
                    (reasons(&verdict.account.trust, names))
                    (sum(language.pick("Signals", "Signaux"), &verdict.account.trust, Some("signal"), names))
                    @for not_run in &verdict.account.not_run {
                        p.small { (language.pick("Not run: ", "Non exécuté : ")) (not_run.plugin) ": " span lang="en" { (not_run.reason) } }
                    }
                }
            }
            @for item in &explanation.items { (document(item, names)) }
        }
    }
}

/// The sentence at the top of the page: the level, and the strongest finding in plain words, with a link to where it counts.
pub(super) fn sentence(explanation: &Explanation, is_closed: bool, is_awaited: bool, names: &Names<'_>) -> Markup {
    let language = names.language;
    let Some(verdict) = &explanation.verdict else {
        let text = match (is_closed, is_awaited) {
            (true, true) => language.pick(
                "No verdict yet: the case is being examined.",
                "Pas encore de verdict\u{a0}: le dossier est en cours d’examen.",
            ),
            (true, false) => language.pick("This case has no verdict.", "Ce dossier n’a pas de verdict."),
            (false, _) => language.pick(
                "No verdict yet: a case gets its verdict after it is closed.",
                "Pas encore de verdict\u{a0}: un dossier reçoit son verdict une fois clos.",
            ),
        };
        return html! { p.why { (text) } };
    };
    let analysis = &explanation.analysis;
    let strongest = strongest(&verdict.account.trust).filter(|_| analysis.trust_level != TrustLevel::Good);
    html! {
        p.why {
            (level(analysis.trust_level, language))
            @if let Some((position, part)) = strongest {
                @match found_in(part) {
                    Some(finding) => {
                        (language.pick(", because ", ", car "))
                        a href={ "#signal-" (position) } { (words::reason(&finding.text, names)) }
                        @if let Some(item) = finding.item {
                            (language.pick(". See ", ". Voir ")) a href={ "#item-" (item) } { (names.item(item)) }
                        }
                    }
                    None => {
                        (language.pick(", because of: ", ", à cause de\u{a0}: "))
                        a href={ "#signal-" (position) } { (words::plain(&part.name, language)) }
                    }
                }
            }
            ". "
            // A cap explains the level, and the parts alone do not.
            @if analysis.trust_level != TrustLevel::Good {
                @for note in &verdict.account.trust.notes { (words::said(note, names)) ". " }
            }
            @if verdict.progress == AnalysisProgress::Failed {
                (language.pick("The score is partial. ", "Le score est partiel. "))
            }
            a href="#verdict" { (language.pick("All reasons", "Toutes les raisons")) }
        }
    }
}

/// The part that costs the most, if one does.
fn strongest(trust: &Sum) -> Option<(usize, &Part)> {
    by_points_lost(trust).into_iter().find(|(_, part)| points_lost(trust, part) >= LEAST_POINTS)
}

fn found_in(part: &Part) -> Option<&Finding> {
    part.findings.iter().find(|finding| finding.state == FindingState::Found)
}

/// A level in words and colour; the words alone say it.
pub(super) fn level(level: TrustLevel, language: Language) -> Markup {
    let (class, text) = match level {
        TrustLevel::Good => ("good", language.pick("Good", "Bon")),
        TrustLevel::Suspicious => ("suspicious", language.pick("Suspicious", "Suspect")),
        TrustLevel::Critical => ("critical", language.pick("Critical", "Critique")),
    };
    html! { span class={ "level " (class) } { (text) } }
}

/// What a level asks of a person; nothing if it is good.
const fn advice(level: TrustLevel, language: Language) -> Option<&'static str> {
    match level {
        TrustLevel::Good => None,
        TrustLevel::Suspicious => Some(language.pick(
            "Something has to be explained: look at the reasons and at the items before you decide.",
            "Quelque chose est à expliquer\u{a0}: regardez les raisons et les éléments avant de décider.",
        )),
        TrustLevel::Critical => Some(language.pick(
            "There are strong signs that something is wrong: do not accept the case before they are explained.",
            "De forts indices montrent que quelque chose ne va pas\u{a0}: n’acceptez pas le dossier avant qu’ils soient expliqués.",
        )),
    }
}

fn document(item: &ExplainedItem, names: &Names<'_>) -> Markup {
    let language = names.language;
    html! {
        @if let Some(account) = &item.account {
            details {
                summary {
                    (names.item(item.item_id)) ": " (words::plain(&account.document_type, language))
                    @if let Some(score) = account.trust.score { " · " (language.pick("trust ", "confiance ")) (score) }
                }
                p.small { a href={ "#item-" (item.item_id) } { (language.pick("Show the document", "Voir le document")) } }
                (sum(language.pick("Trust", "Confiance"), &account.trust, None, names))
                (sum(
                    language.pick("Falsification (100 means nothing wrong)", "Falsification (100 : rien d’anormal)"),
                    &account.falsification,
                    None,
                    names,
                ))
                (sum(language.pick("Type of document", "Type de document"), &account.conformity, None, names))
                (sum(language.pick("Cross-check of entries", "Recoupement des saisies"), &account.cross_check, None, names))
            }
        } @else if let Some(failure) = &item.failure {
            p.small { (names.item(item.item_id)) ": " span lang="en" { (failure) } }
        }
    }
}

/// One sentence that says which parts cost the most, with links to them, and why the score was lowered further.
fn reasons(trust: &Sum, names: &Names<'_>) -> Markup {
    let language = names.language;
    let costly: Vec<(usize, &Part)> =
        by_points_lost(trust).into_iter().filter(|(_, part)| points_lost(trust, part) >= LEAST_POINTS).collect();
    html! {
        @if costly.is_empty() {
            @if trust.score.is_some() {
                p.reasons { (language.pick("Nothing that was examined lowered the score.", "Rien de ce qui a été examiné n’a abaissé le score.")) }
            }
        } @else {
            p.reasons {
                (language.pick("What lowered the score most: ", "Ce qui a le plus abaissé le score\u{a0}: "))
                @for (place, (position, part)) in costly.iter().take(MOST_REASONS).enumerate() {
                    @if place > 0 { "; " }
                    a href={ "#signal-" (position) } { (words::plain(&part.name, language)) }
                    " (−" (number(points_lost(trust, part), language)) (language.pick(" points)", " points)"))
                    @if let Some(finding) = found_in(part) {
                        ": " (words::clause(&finding.text, names))
                    }
                }
                "."
            }
        }
        @for note in &trust.notes { p.small { (words::said(note, names)) "." } }
    }
}

/// The parts of a score; with `anchor` each row can be linked to.
fn sum(title: &str, sum: &Sum, anchor: Option<&str>, names: &Names<'_>) -> Markup {
    let language = names.language;
    if sum.parts.is_empty() && sum.score.is_none() {
        return html! {};
    }
    let is_open = sum.parts.iter().any(is_worth_a_look);
    html! {
        details.sum open[is_open || anchor.is_some()] {
            summary {
                (title) ": "
                @match sum.score {
                    Some(score) => strong { (score) },
                    None => (language.pick("nothing to judge", "rien à juger")),
                }
            }
            table {
                thead {
                    tr {
                        th scope="col" { (language.pick("What", "Quoi")) }
                        th.number scope="col" { (language.pick("Score", "Score")) }
                        th.number scope="col" { (language.pick("Share", "Poids")) }
                        th.number scope="col" { (language.pick("Points lost", "Points perdus")) }
                        th scope="col" { "Plugin" }
                    }
                }
                tbody {
                    @for (position, part) in by_points_lost(sum) {
                        (row(sum, part, anchor.map(|anchor| format!("{anchor}-{position}")).as_deref(), names))
                    }
                }
            }
            // Those of the signals are above, with the reasons.
            @if anchor.is_none() {
                @for note in &sum.notes { p.small { (words::said(note, names)) } }
            }
        }
    }
}

fn is_worth_a_look(part: &Part) -> bool {
    found_in(part).is_some()
}

fn row(sum: &Sum, part: &Part, anchor: Option<&str>, names: &Names<'_>) -> Markup {
    let language = names.language;
    html! {
        tr id=[anchor] {
            th scope="row" {
                (words::part(&part.name, language))
                @if let Some(note) = &part.note { br; span.small { (words::said(note, names)) } }
            }
            td.number { @match part.score { Some(score) => (score), None => "—" } }
            td.number { (number(sum.share(part) * 100.0, language)) " %" }
            td.number { (number(points_lost(sum, part), language)) }
            td.small { @if let Some(plugin) = &part.plugin { (plugin) } }
        }
        @for alike in alike(&part.findings) {
            tr.finding { td colspan="5" { (finding_text(&alike, names)) } }
        }
    }
}

/// The parts with their positions, first those that cost the most.
fn by_points_lost(sum: &Sum) -> Vec<(usize, &Part)> {
    let mut parts: Vec<(usize, &Part)> = sum.parts.iter().enumerate().collect();
    parts.sort_by(|(_, one), (_, other)| points_lost(sum, other).total_cmp(&points_lost(sum, one)));
    parts
}

/// How much a part lowers the sum, before a cap: its share of what it lacks to 100.
fn points_lost(sum: &Sum, part: &Part) -> f64 {
    part.score.map_or(0.0, |score| f64::from(100_u8.saturating_sub(score)) * sum.share(part))
}

fn number(value: f64, language: Language) -> String {
    let text = format!("{value:.1}");
    if language == Language::French { text.replace('.', ",") } else { text }
}

/// Findings that say the same: a line says it once, for all the items that it is about.
fn alike(findings: &[Finding]) -> Vec<Vec<&Finding>> {
    let mut groups: Vec<Vec<&Finding>> = Vec::new();
    for finding in findings {
        let says = |one: &Finding| one.code == finding.code && one.state == finding.state && one.text == finding.text;
        match groups.iter().position(|group| group.first().copied().is_some_and(says)) {
            Some(position) => groups[position].push(finding),
            None => groups.push(vec![finding]),
        }
    }
    groups
}

fn finding_text(alike: &[&Finding], names: &Names<'_>) -> Markup {
    let language = names.language;
    let Some(Finding { code, state, text, .. }) = alike.first() else { return html! {} };
    let (class, state) = match state {
        FindingState::Found => ("found", language.pick("found", "trouvé")),
        FindingState::NotFound => ("", language.pick("not detected", "non détecté")),
        FindingState::NotRun => ("", language.pick("not looked for", "non recherché")),
    };
    html! {
        span class=(class) { (state) } " · " (words::said(text, names))
        span.small {
            " " (code)
            @for finding in alike {
                @if let Some(item) = finding.item { ", " a href={ "#item-" (item) } { (names.item(item)) } }
                @if let Some(place) = finding.place { (language.pick(", page ", ", page ")) (place.page) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::id::{CaseId, ItemId};

    fn names(language: Language) -> Names<'static> {
        let titles = vec![(ItemId::parse("3").unwrap(), "Roof"), (ItemId::parse("4").unwrap(), "Door")];
        Names::new(CaseId::parse("1").unwrap(), titles, language)
    }

    #[test]
    fn what_is_found_on_several_items_is_said_once() {
        let late = |item: Option<&str>, state| Finding {
            code: "LONG_BEFORE".to_owned(),
            state,
            item: item.and_then(ItemId::parse),
            place: None,
            text: "The item says it was made more than 48 hours before it was received.".to_owned(),
        };
        let mut part = Part::new("device", Some(60), 1);
        part.findings = vec![
            late(Some("3"), FindingState::Found),
            late(None, FindingState::NotRun),
            late(Some("4"), FindingState::Found),
        ];
        let sum = Sum::of(vec![part]);
        let table = super::sum("Signals", &sum, None, &names(Language::English)).into_string();
        assert_eq!(table.matches("48 hours").count(), 2, "once for each state: {table}");
        let both = "LONG_BEFORE, <a href=\"#item-3\">Roof (item 3)</a>, <a href=\"#item-4\">Door (item 4)</a>";
        assert!(table.contains(both), "{table}");
    }

    fn part(name: &str, score: u8, found: &[&str]) -> Part {
        let findings = found.iter().map(|text| Finding {
            code: "X".to_owned(),
            state: FindingState::Found,
            item: None,
            place: None,
            text: (*text).to_owned(),
        });
        Part { findings: findings.collect(), ..Part::new(name, Some(score), 1) }
    }

    #[test]
    fn the_sentence_names_the_three_heaviest_parts() {
        let mut trust = Sum::of(vec![
            part("gps", 90, &[]),
            part("document", 20, &["The document differs from what was entered.", "Another one."]),
            part("own <kind>", 60, &["Odd <b>."]),
            part("motion", 100, &[]),
            part("image", 80, &[]),
        ]);
        trust.cap(29, "certain fraud: the signal gps");
        let english = reasons(&trust, &names(Language::English)).into_string();
        let order = ["#signal-1", "−16.0 points", "differs from what was entered", "#signal-2", "#signal-4"];
        let places: Vec<usize> = order.iter().map(|text| english.find(*text).expect(text)).collect();
        assert!(places.is_sorted(), "{english}");
        assert!(
            !english.contains("#signal-0") && !english.contains(">Positions<") && !english.contains("<b>"),
            "{english}"
        );
        assert!(english.contains(" to 29, because fraud is certain: the signal “Positions”</span>."), "{english}");
        let french = reasons(&trust, &names(Language::French)).into_string();
        assert!(
            french.contains("−16,0 points") && french.contains("Le document diffère de ce qui a été saisi"),
            "{french}"
        );
        assert!(french.contains("<span lang=\"en\">own &lt;kind&gt;</span>"), "{french}");
        assert!(french.contains("fraude certaine"), "{french}");
        let (position, strongest) = strongest(&trust).unwrap();
        assert_eq!((position, strongest.name.as_str()), (1, "document"));
        // Also if it says nothing.
        let silent = Sum::of(vec![part("image", 80, &["A picture covers text."]), part("document", 10, &[])]);
        assert_eq!(super::strongest(&silent).unwrap().0, 1);
        let right = Sum::of(vec![part("gps", 100, &[])]);
        assert!(super::strongest(&right).is_none());
        assert!(reasons(&right, &names(Language::English)).into_string().contains("Nothing that was examined"));
        assert_eq!(reasons(&Sum::of(Vec::new()), &names(Language::English)).into_string(), "");
    }
}
