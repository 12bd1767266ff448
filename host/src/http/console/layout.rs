//! What all pages of the console have in common: the document, its headers, the navigation, notices, and how moments and
//! sizes are written.

use axum::{
    http::{
        HeaderValue, StatusCode,
        header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY},
    },
    response::Response,
};
use maud::{DOCTYPE, Markup, html};

use super::{form::CSRF, problem::Wrong, visit::Visit};
use crate::{
    clock::Timestamp,
    domain::{
        console::{Outcome, Role},
        id::CompanyId,
        seal::SealLevel,
        session::SessionToken,
    },
    http::{html::document_response, html::head, link::Language, web_files},
};

/// What a page may load, run and send: only from and to this server. A drawn page of a document is part of its HTML.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; \
     connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// What one page may load in addition.
#[derive(Clone, Copy, Debug)]
pub(super) enum Allowance<'a> {
    /// Pages of this server in frames.
    OwnFrames,
    /// Pictures of another server, by its scheme, host and port.
    Pictures(&'a str),
}

/// Extends the policy of a page.
pub(super) fn allow(response: &mut Response, allowance: &Allowance<'_>) {
    let policy = match allowance {
        Allowance::OwnFrames => format!("{POLICY}; frame-src 'self'"),
        Allowance::Pictures(origin) => POLICY.replacen("img-src 'self'", &format!("img-src 'self' {origin}"), 1),
    };
    // Our own words, and the origin of a URL that was parsed: they always make a valid header value.
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    }
}

/// The part of the console that a page belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Cases,
    Links,
    Companies,
    Users,
    Audit,
    Operation,
    Account,
}

impl Section {
    const ALL: [Self; 7] =
        [Self::Cases, Self::Links, Self::Companies, Self::Users, Self::Audit, Self::Operation, Self::Account];

    const fn address(self) -> &'static str {
        match self {
            Self::Cases => "/console/cases",
            Self::Links => "/console/links",
            Self::Companies => "/console/companies",
            Self::Users => "/console/users",
            Self::Audit => "/console/audit",
            Self::Operation => "/console/operation",
            Self::Account => "/console/account",
        }
    }

    const fn name(self, language: Language) -> &'static str {
        match self {
            Self::Cases => language.pick("Cases", "Dossiers"),
            Self::Links => language.pick("Links", "Liens"),
            Self::Companies => language.pick("Companies", "Sociétés"),
            Self::Users => language.pick("Users", "Utilisateurs"),
            Self::Audit => language.pick("Audit log", "Journal d’audit"),
            Self::Operation => language.pick("Operation", "Exploitation"),
            Self::Account => language.pick("Account", "Compte"),
        }
    }

    /// The lowest role that sees it.
    const fn role(self) -> Role {
        match self {
            Self::Cases | Self::Account => Role::Viewer,
            Self::Links => Role::Manager,
            Self::Companies | Self::Users | Self::Audit => Role::Administrator,
            Self::Operation => Role::Operator,
        }
    }
}

/// A page for someone who is signed in.
pub(super) fn page(visit: &Visit, section: Section, title: &str, main: &Markup) -> Response {
    page_with(StatusCode::OK, visit, section, title, main)
}

pub(super) fn page_with(status: StatusCode, visit: &Visit, section: Section, title: &str, main: &Markup) -> Response {
    document(status, visit.language, title, Some((visit, Some(section))), main)
}

/// A page for someone who is not signed in.
pub(super) fn plain_page(status: StatusCode, language: Language, title: &str, main: &Markup) -> Response {
    document(status, language, title, None, main)
}

/// The page of an error.
pub(super) fn problem(status: StatusCode, problem: &str, language: Language, visit: Option<&Visit>) -> Response {
    let title = match status {
        StatusCode::FORBIDDEN => language.pick("Not allowed", "Non autorisé"),
        StatusCode::NOT_FOUND => language.pick("Not found", "Introuvable"),
        StatusCode::SERVICE_UNAVAILABLE => language.pick("Temporarily unavailable", "Temporairement indisponible"),
        status if status.is_client_error() => language.pick("This did not work", "Cela n’a pas fonctionné"),
        _ => language.pick("Something failed on the server", "Une erreur s’est produite sur le serveur"),
    };
    let main = html! {
        h1 { (title) }
        @if problem.is_empty() {
            p { (language.pick("The server’s log says why. Nothing was changed.", "Le journal du serveur dit pourquoi. Rien n’a été modifié.")) }
        } @else {
            p lang="en" { (problem) "." }
        }
        p { a href="/console" { (language.pick("Back to the cases", "Retour aux dossiers")) } }
    };
    document(status, language, title, visit.map(|visit| (visit, None)), &main)
}

fn document(
    status: StatusCode,
    language: Language,
    title: &str,
    visit: Option<(&Visit, Option<Section>)>,
    main: &Markup,
) -> Response {
    let document = html! {
        (DOCTYPE)
        html lang=(language.tag()) {
            head {
                (head(&format!("{title} · Sealwright")))
                link rel="icon" href=(web_files::address("capture/icon.svg"));
                link rel="stylesheet" href=(web_files::address("console/style.css"));
                script type="module" src=(web_files::address("console/main.js")) {}
            }
            body {
                a.skip href="#main" { (language.pick("Skip to the content", "Aller au contenu")) }
                @if let Some((visit, section)) = visit { (header(visit, section)) }
                main #main tabindex="-1" { (main) }
            }
        }
    };
    let mut response = document_response(status, language.tag(), document);
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    // A form without an `Origin` is refused, and browsers send `null` if a page has no referrer at all.
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    response
}

fn header(visit: &Visit, current: Option<Section>) -> Markup {
    let Visit { user, token, language } = visit;
    let sections = Section::ALL.into_iter().filter(|section| user.may(section.role()));
    html! {
        header.top {
            a.mark href="/console" { "Sealwright" }
            nav aria-label=(language.pick("Sections", "Rubriques")) {
                @for section in sections {
                    a href=(section.address()) aria-current=[(current == Some(section)).then_some("page")] {
                        (section.name(*language))
                    }
                }
            }
            form.out method="post" action="/console/sign-out" {
                (csrf(token))
                span.who title=(user.role) { (user.name) }
                button.quiet { (language.pick("Sign out", "Se déconnecter")) }
            }
        }
    }
}

/// The field that shows that a form is from a page of the session.
pub(super) fn csrf(token: &SessionToken) -> Markup {
    html! { input type="hidden" name=(CSRF) value=(token.csrf()); }
}

/// The field for a code of the second factor.
pub(super) fn code_field() -> Markup {
    html! {
        input #code name="code" required inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]{6,8}"
            maxlength="8";
    }
}

/// A notice above a page, read out by screen readers.
pub(super) fn notice(text: &str) -> Markup {
    html! { p.notice role="status" { (text) } }
}

/// What is wrong with a form.
pub(super) fn alert(wrong: &Wrong) -> Markup {
    html! { p.alert role="alert" lang=(wrong.language.tag()) { (wrong.text) "." } }
}

/// What is wrong with a field, which names this identifier as its description.
pub(super) fn alert_at(id: &str, wrong: &Wrong) -> Markup {
    html! { p.alert id=(id) role="alert" lang=(wrong.language.tag()) { (wrong.text) "." } }
}

/// A company by its name and number; the number alone if the name is not known.
pub(super) fn company(id: CompanyId, name: Option<&str>) -> String {
    name.map_or_else(|| id.to_string(), |name| format!("{name} ({id})"))
}

/// A moment to the second, in UTC.
pub(super) fn moment(at: Timestamp) -> Markup {
    let exact = at.to_string();
    html! { time datetime=(exact) { (at.to_jiff().strftime("%Y-%m-%d %H:%M:%S")) " UTC" } }
}

/// The same on two lines, if there is little space.
pub(super) fn moment_in_two(at: Timestamp) -> Markup {
    let (exact, at) = (at.to_string(), at.to_jiff());
    html! {
        time.two datetime=(exact) {
            span { (at.strftime("%Y-%m-%d")) } " " span { (at.strftime("%H:%M:%S")) " UTC" }
        }
    }
}

/// A size in bytes as people read it.
pub(super) fn size(bytes: i64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
    let bytes = bytes as f64;
    match bytes {
        ..1e3 => format!("{bytes} B"),
        1e3..1e6 => format!("{:.1} kB", bytes / 1e3),
        1e6..1e9 => format!("{:.1} MB", bytes / 1e6),
        _ => format!("{:.1} GB", bytes / 1e9),
    }
}

pub(super) const fn outcome(outcome: Outcome, language: Language) -> &'static str {
    match outcome {
        Outcome::Accepted => language.pick("Accepted", "Accepté"),
        Outcome::Rejected => language.pick("Rejected", "Refusé"),
        Outcome::Returned => language.pick("Returned", "Renvoyé"),
    }
}

pub(super) const fn seal_level(level: SealLevel, language: Language) -> &'static str {
    match level {
        SealLevel::Signed => language.pick("signed; the time is pending", "signé\u{a0}; l’heure est attendue"),
        SealLevel::TimeStamped => language.pick("signed and time-stamped", "signé et horodaté"),
        SealLevel::Archived => language.pick("signed, time-stamped and archived", "signé, horodaté et archivé"),
    }
}

pub(super) const fn role(role: Role, language: Language) -> &'static str {
    match role {
        Role::Viewer => language.pick("Viewer", "Lecteur"),
        Role::Reviewer => language.pick("Reviewer", "Examinateur"),
        Role::Manager => language.pick("Manager", "Gestionnaire"),
        Role::Administrator => language.pick("Administrator", "Administrateur"),
        Role::Operator => language.pick("Operator", "Exploitant"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allowance_extends_the_policy_of_one_page() {
        let policy = |allowance: Option<Allowance<'_>>| {
            let mut response = plain_page(StatusCode::OK, Language::English, "x", &html! {});
            if let Some(allowance) = allowance {
                allow(&mut response, &allowance);
            }
            response.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned()
        };
        assert_eq!(policy(None), POLICY);
        let map = policy(Some(Allowance::Pictures("https://tiles.example:8443")));
        assert!(map.contains("; img-src 'self' https://tiles.example:8443 data:; "), "{map}");
        assert_eq!(map.len(), POLICY.len() + " https://tiles.example:8443".len());
        assert_eq!(policy(Some(Allowance::OwnFrames)), format!("{POLICY}; frame-src 'self'"));
    }

    #[test]
    fn sizes_have_one_decimal() {
        assert_eq!(size(999), "999 B");
        assert_eq!(size(1_500), "1.5 kB");
        assert_eq!(size(2_340_000), "2.3 MB");
        assert_eq!(size(5_000_000_000), "5.0 GB");
    }
}
