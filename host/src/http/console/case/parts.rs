//! The parts of a case's page apart from its items and its verdict.

use maud::{Markup, html};
use url::Url;

use super::asking;
use crate::{
    app::console::{
        case::{CaseView, Certificate, Fate, HistoryEvent, JobState, Retake},
        name_of,
    },
    domain::{case_search::about::About, console::Action},
    http::{
        console::{
            layout, verdict,
            visit::Visit,
            words::{self, Names},
        },
        link::Language,
    },
};

pub(super) fn summary(visit: &Visit, view: &CaseView) -> Markup {
    let (language, case) = (visit.language, &view.case);
    html! {
        dl.facts.summary {
            dt { (language.pick("Reference", "Référence")) } dd { (case.reference()) }
            dt { (language.pick("Company", "Société")) } dd { (view.company.name) }
            dt { (language.pick("Kind of case", "Type de dossier")) } dd { (view.frame_name) }
            dt { (language.pick("Opened", "Ouvert")) } dd { (layout::moment(case.created_at)) }
            @if let Some(token) = &case.report_token {
                dt { (language.pick("Report", "Rapport")) }
                dd {
                    (token) " · "
                    a href={ "/console/cases?" (search_for(token.as_str())) } {
                        (language.pick("all cases with it", "tous les dossiers qui l’ont"))
                    }
                }
            }
            @if let Some(user) = &case.user { dt { (language.pick("User", "Utilisateur")) } dd { (user) } }
            @if let Some(link) = case.link.as_ref().filter(|_| Action::ShowLink.role().is_some_and(|role| visit.user.may(role))) {
                dt { (language.pick("Link", "Lien")) }
                dd { a href={ "/console/links/" (link) "?case=" (case.id) } { (language.pick("address and QR code", "adresse et code QR")) } }
            }
            @if let Some(explanation) = view.explanation.as_ref().filter(|explanation| explanation.verdict.is_some()) {
                dt { (language.pick("Verdict", "Verdict")) }
                dd {
                    a href="#verdict" { (verdict::level(explanation.analysis.trust_level, language)) }
                    " " (explanation.analysis.trust_score)
                }
            }
            @if let Some(certificate) = &view.certificate {
                dt { (language.pick("Certificate", "Certificat")) }
                dd { (certificate_state(view, certificate, language)) }
            }
            @if let Some(metadata) = &case.metadata {
                @for (key, value) in metadata {
                    dt { (key) }
                    dd { @match value.as_str() { Some(text) => (text), None => (value) } }
                }
            }
        }
    }
}

/// The title, and who and what the case is about.
pub(super) fn heading(view: &CaseView, language: Language) -> Markup {
    let About { person, claim } = &view.about;
    html! {
        h1 {
            (view.case.title)
            span.about {
                @if let Some(person) = person { (person) " · " }
                @if let Some(claim) = claim { (claim) " · " }
                span.hidden { (language.pick("reference ", "référence ")) }
                (view.case.reference())
            }
        }
    }
}

/// What an open case still lacks.
pub(super) fn open_steps(view: &CaseView, language: Language) -> Markup {
    if view.case.is_closed() {
        return html! {};
    }
    let required = view.open_steps.iter().filter(|step| step.required).count();
    html! {
        section #missing {
            h2 { (language.pick("Still missing", "Encore attendu")) }
            @if required == 0 {
                p { (language.pick("Everything that is required has come.", "Tout ce qui est obligatoire est arrivé.")) }
            }
            @if !view.open_steps.is_empty() {
                ul {
                    @for step in &view.open_steps {
                        li {
                            (step.title) " · "
                            @if step.again {
                                strong { (language.pick("required: asked for again", "obligatoire\u{a0}: redemandé")) }
                            } @else if step.required {
                                strong { (language.pick("required", "obligatoire")) }
                            } @else {
                                span.small { (language.pick("optional", "facultatif")) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn certificate_state(view: &CaseView, certificate: &Certificate, language: Language) -> Markup {
    let Some(pdf) = &certificate.pdf else {
        let Some(failure) = &certificate.failure else {
            return html! { (language.pick("being made", "en préparation")) };
        };
        return html! { (language.pick("given up: ", "abandonné : ")) (failure) };
    };
    let level = pdf.level.map(|level| layout::seal_level(level, language));
    html! {
        @if let Some(url) = &view.certificate_url {
            a href=(url) { "PDF" } ", "
            a href={ "/console/cases/" (view.case.id) "/certificate" } {
                (language.pick("check the certificate", "vérifier le certificat"))
            }
            ", "
            a href={ "/console/cases/" (view.case.id) "/package" } {
                (language.pick("download the whole case", "télécharger tout le dossier"))
            }
        }
        @if let Some(level) = level { " · " (level) }
        " · " (pdf.pages) (language.pick(" pages", " pages"))
        @if certificate.evidence.is_some() {
            (language.pick(" · renewed by an evidence record", " · prolongé par un enregistrement de preuve"))
        } @else if let Some(at) = pdf.renew_before { (language.pick(" · next time stamp before ", " · prochain horodatage avant ")) (layout::moment(at)) }
    }
}

pub(super) fn history(view: &CaseView, names: &Names<'_>) -> Markup {
    let language = names.language;
    html! {
        section {
            h2 { (language.pick("History", "Historique")) }
            ol.timeline {
                @for entry in &view.history { li { (layout::moment(entry.at)) " " (event(&entry.event, names)) } }
            }
        }
    }
}

fn event(event: &HistoryEvent, names: &Names<'_>) -> Markup {
    let language = names.language;
    let text = match event {
        HistoryEvent::Opened => language.pick("The case was opened.", "Le dossier a été ouvert."),
        HistoryEvent::Received(item) => {
            return html! { (language.pick("Received: ", "Reçu : ")) a href={ "#item-" (item) } { (names.item(*item)) } };
        }
        HistoryEvent::RetakeRequested(Retake { item, reason, requested_by, .. }) => {
            return html! {
                (language.pick("Another capture was requested for ", "Une autre prise a été demandée pour "))
                a href={ "#item-" (item) } { (names.item(*item)) }
                (language.pick(", by ", ", par ")) (name_of(requested_by)) (language.pick(": ", "\u{a0}: ")) q { (reason) }
            };
        }
        HistoryEvent::Closed => language.pick("The case was closed.", "Le dossier a été clos."),
        HistoryEvent::Sealed => language.pick("The certificate was made.", "Le certificat a été établi."),
        HistoryEvent::Judged => language.pick("The verdict was reached.", "Le verdict a été rendu."),
        HistoryEvent::Delivered => language.pick("A webhook was accepted.", "Un webhook a été accepté."),
        HistoryEvent::DeliveryFailed => language.pick("A webhook failed.", "Un webhook a échoué."),
        HistoryEvent::Decided(outcome, by) => {
            return html! {
                (language.pick("Decision: ", "Décision\u{a0}: ")) (layout::outcome(*outcome, language))
                (language.pick(", by ", ", par ")) (by)
            };
        }
    };
    html! { (text) }
}

/// A role that may not send webhooks again sees where they went, but not the whole address: its path and its query may
/// hold a secret.
pub(super) fn deliveries(visit: &Visit, view: &CaseView, may_resend: bool) -> Markup {
    let language = visit.language;
    html! {
        @if !view.attempts.is_empty() {
            section {
                h2 { (language.pick("Webhooks", "Webhooks")) }
                ul.rows {
                    @for attempt in &view.attempts {
                        li {
                            div {
                                strong {
                                    @match (attempt.status, &attempt.error) {
                                        (Some(status), _) => (status),
                                        (None, Some(error)) => span lang="en" { (error) },
                                        (None, None) => "—",
                                    }
                                }
                                " · " (words::work(attempt.kind.into_str(), language)) " · " (layout::moment(attempt.started_at)) " · " (attempt.duration_ms) " ms"
                                @match (attempt.fate, attempt.next_at) {
                                    (Some(Fate::Retried), Some(at)) => { " · " (language.pick("next attempt: ", "prochain essai : ")) (layout::moment(at)) }
                                    (Some(Fate::Paused), _) => { " · " (language.pick("waits: the receiver is paused", "attend : le destinataire est en pause")) }
                                    (Some(Fate::GivenUp), _) => { " · " strong { (language.pick("given up: all attempts have failed", "abandonné : tous les essais ont échoué")) } }
                                    _ => {}
                                }
                                @if let Some(answer) = attempt.answer.as_ref().filter(|_| may_resend) { br; span.small.address { (answer) } }
                                br;
                                span.small.address { @if may_resend { (attempt.url) } @else { (receiver(&attempt.url)) } }
                            }
                            @if may_resend {
                                form method="post" action={ "/console/cases/" (view.case.id) "/attempts/" (attempt.id) "/resend" } {
                                    (layout::csrf(&visit.token))
                                    button.quiet aria-label={ (language.pick("Send again: webhook ", "Renvoyer\u{a0}: webhook ")) (attempt.id) } {
                                        (language.pick("Send again", "Renvoyer"))
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Scheme and host of an address.
fn receiver(url: &str) -> String {
    Url::parse(url).map_or_else(|_| "—".to_owned(), |url| url.origin().ascii_serialization())
}

pub(super) fn jobs(visit: &Visit, view: &CaseView, may_retry: bool) -> Markup {
    let language = visit.language;
    html! {
        @if !view.jobs.is_empty() {
            section {
                h2 { (language.pick("Work in progress", "Travaux en cours")) }
                ul.rows {
                    @for job in &view.jobs {
                        @let is_stopped = matches!(job.state, JobState::Failed | JobState::Quarantined);
                        li {
                            div {
                                strong { (words::work(job.kind.as_str(), language)) } " · " (words::job_state(job.state, language)) " · "
                                (language.pick("due ", "prévu ")) (layout::moment(job.due_at))
                                @if let Some(part) = &job.waits_for { (language.pick(" · waits for ", " · attend ")) (part) }
                                @if let Some(error) = &job.last_error { br; span.small lang="en" { (error) } }
                            }
                            @if is_stopped && may_retry {
                                form method="post" action={ "/console/cases/" (view.case.id) "/jobs/" (job.id) "/retry" } {
                                    (layout::csrf(&visit.token))
                                    button.quiet aria-label={ (language.pick("Retry: job ", "Relancer\u{a0}: tâche ")) (job.id) } {
                                        (language.pick("Retry", "Relancer"))
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

pub(super) fn management(visit: &Visit, view: &CaseView) -> Markup {
    let (language, id) = (visit.language, view.case.id);
    html! {
        section.actions {
            @if !view.case.is_closed() {
                form method="post" action={ "/console/cases/" (id) "/close" } {
                    (layout::csrf(&visit.token))
                    button data-confirm=(language.pick("Close the case? Nothing can be added afterwards.", "Clore le dossier ? Rien ne pourra y être ajouté.")) {
                        (language.pick("Close the case", "Clore le dossier"))
                    }
                }
            } @else {
                p {
                    (language.pick("A closed case cannot change. For something better, ", "Un dossier clos ne peut plus changer. Pour obtenir mieux, "))
                    a href=(asking::follow_up(view)) { (language.pick("open another case", "ouvrez un autre dossier")) }
                    (language.pick(" for the same person.", " pour la même personne."))
                }
            }
            @if view.hold.is_none() {
                details {
                    summary { (language.pick("Delete the case", "Supprimer le dossier")) }
                    form.stack method="post" action={ "/console/cases/" (id) "/delete" } {
                        (layout::csrf(&visit.token))
                        p {
                            (language.pick(
                                "Its items, its verdict and its certificate are deleted for ever. Their hashes stay.",
                                "Ses éléments, son verdict et son certificat sont supprimés pour toujours. Leurs empreintes restent.",
                            ))
                        }
                        label for="confirm" { (language.pick("Enter the number of the case: ", "Saisissez le numéro du dossier : ")) (id) }
                        input #confirm name="confirm" required autocomplete="off" inputmode="numeric";
                        button.danger { (language.pick("Delete for ever", "Supprimer pour toujours")) }
                    }
                }
            }
        }
    }
}

/// The query of the list that finds what has this text.
fn search_for(text: &str) -> String {
    url::form_urlencoded::Serializer::new(String::new()).append_pair("q", text).finish()
}

#[cfg(test)]
mod tests {
    use super::receiver;

    #[test]
    fn a_receiver_s_address_is_shown_without_what_may_be_a_secret() {
        for (url, shown) in [
            ("https://hooks.example.com/t/0a1b?key=secret#x", "https://hooks.example.com"),
            ("http://user:secret@127.0.0.1:8080/cases", "http://127.0.0.1:8080"),
            ("not an address", "—"),
        ] {
            assert_eq!(receiver(url), shown);
        }
    }
}
