//! The texts of the page of a link, in two languages. `{}` is the placeholder for a value.

use axum::http::{HeaderMap, header::ACCEPT_LANGUAGE};
use jiff::tz::TimeZone;
use maud::{Markup, html};

use crate::{clock::Timestamp, domain::step::StepAction};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http) enum Language {
    English,
    French,
}

/// Every sentence of the page.
pub(super) struct Words {
    pub(super) a_case: &'static str,
    pub(super) invitation: &'static str,
    pub(super) no_script: &'static str,
    pub(super) no_script_text: &'static str,
    pub(super) steps: &'static str,
    pub(super) no_steps: &'static str,
    pub(super) no_form: &'static str,
    pub(super) required: &'static str,
    pub(super) optional: &'static str,
    pub(super) one_of: &'static str,
    pub(super) about: &'static str,
    pub(super) valid_until: &'static str,
    pub(super) no_end: &'static str,
    pub(super) uses_left: &'static str,
    pub(super) of: &'static str,
    pub(super) no_limit: &'static str,
    pub(super) open_now: &'static str,
    pub(super) open_stays: &'static str,
    pub(super) keep: &'static str,
    pub(super) expired: &'static str,
    pub(super) expired_text: &'static str,
    pub(super) used_up: &'static str,
    pub(super) used_up_text: &'static str,
    pub(super) withdrawn: &'static str,
    pub(super) withdrawn_text: &'static str,
    pub(super) ask_for_another: &'static str,
    pub(super) unknown: &'static str,
    pub(super) unknown_text: &'static str,
}

const ENGLISH: Words = Words {
    a_case: "Document a case",
    invitation: "{} asks you to document a case. This page shows what the link is for and what you will be asked.",
    no_script: "This page needs JavaScript",
    no_script_text: "Your browser does not run the script that takes photos and sends them. Allow JavaScript for this \
                     page, open it in another browser, or ask {} how to submit what it needs.",
    steps: "What you will be asked",
    no_steps: "This form has no steps.",
    no_form: "No form is set for this link. {} chooses one when it opens a case.",
    required: "required",
    optional: "optional",
    one_of: "One of: {}",
    about: "About this link",
    valid_until: "Valid until",
    no_end: "No end date",
    uses_left: "Cases that can still be opened",
    of: " of ",
    no_limit: "Any number",
    open_now: "Cases currently open",
    open_stays: "No further case can be opened; open cases stay open.",
    keep: "Keep the address of this page to yourself. Anyone who knows it can use the link.",
    expired: "This link has expired",
    expired_text: "It was valid until {}.",
    used_up: "This link has been used",
    used_up_text: "No more cases can be opened with it, and none of its cases is still open.",
    withdrawn: "This form is no longer offered",
    withdrawn_text: "The link leads to a form that {} no longer uses.",
    ask_for_another: "If you still have something to submit, ask {} for a new link.",
    unknown: "There is no such link",
    unknown_text: "Check that the address was copied in full. If it was, ask the person who sent it to you for a new \
                   one.",
};

const FRENCH: Words = Words {
    a_case: "Documenter un dossier",
    invitation: "{} vous demande de documenter un dossier. Cette page dit à quoi sert le lien et ce qui vous sera demandé.",
    no_script: "Cette page a besoin de JavaScript",
    no_script_text: "Votre navigateur n’exécute pas le script qui prend les photos et les envoie. Autorisez JavaScript \
                     pour cette page, ouvrez-la dans un autre navigateur, ou demandez à {} comment remettre ce \
                     qu’il vous faut fournir.",
    steps: "Ce qui vous sera demandé",
    no_steps: "Ce formulaire n’a pas d’étape.",
    no_form: "Aucun formulaire n’est fixé pour ce lien. {} en choisit un à l’ouverture d’un dossier.",
    required: "obligatoire",
    optional: "facultatif",
    one_of: "Au choix\u{a0}: {}",
    about: "À propos de ce lien",
    valid_until: "Fin de validité",
    no_end: "Aucune",
    uses_left: "Dossiers pouvant encore être ouverts",
    of: " sur ",
    no_limit: "Sans limite",
    open_now: "Dossiers ouverts actuellement",
    open_stays: "Aucun autre dossier ne peut y être ouvert\u{a0}; ce qui est ouvert le reste.",
    keep: "Gardez l’adresse de cette page pour vous. Toute personne qui la connaît peut utiliser le lien.",
    expired: "Ce lien a expiré",
    expired_text: "Il était valable jusqu’au {}.",
    used_up: "Ce lien a été utilisé",
    used_up_text: "Il ne permet plus d’ouvrir de dossier, et aucun des siens n’est encore ouvert.",
    withdrawn: "Ce formulaire n’est plus proposé",
    withdrawn_text: "Le lien mène à un formulaire que {} n’utilise plus.",
    ask_for_another: "S’il vous reste quelque chose à remettre, demandez un nouveau lien à {}.",
    unknown: "Ce lien n’existe pas",
    unknown_text: "Vérifiez que l’adresse a été copiée en entier. Si c’est le cas, demandez-en une nouvelle à la personne \
                   qui vous l’a envoyée.",
};

const FRENCH_MONTHS: [&str; 12] = [
    "janvier",
    "février",
    "mars",
    "avril",
    "mai",
    "juin",
    "juillet",
    "août",
    "septembre",
    "octobre",
    "novembre",
    "décembre",
];

/// Which of a page's languages, by their tags, the browser prefers (RFC 9110, section 12.5.4); `otherwise` if it prefers
/// none of them.
pub(in crate::http) fn preferred<L: Copy>(headers: &HeaderMap, languages: &[(&str, L)], otherwise: L) -> L {
    let given = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut best = (otherwise, 0.0);
    for range in given.split(',') {
        let (tag, weight) = range.split_once(';').unwrap_or((range, "q=1"));
        let weight = weight.trim().strip_prefix("q=").and_then(|q| q.parse::<f32>().ok()).unwrap_or(0.0);
        let primary = tag.trim().split('-').next().unwrap_or_default();
        let known = languages.iter().find(|(name, _)| name.eq_ignore_ascii_case(primary));
        let language = match known {
            Some((_, language)) => *language,
            None if primary == "*" => otherwise,
            None => continue,
        };
        // Of two with equal weight, the first wins.
        if weight > best.1 {
            best = (language, weight);
        }
    }
    best.0
}

impl Language {
    /// The language that the browser prefers; English if it prefers neither.
    pub(in crate::http) fn preferred(headers: &HeaderMap) -> Self {
        preferred(headers, &[("en", Self::English), ("fr", Self::French)], Self::English)
    }

    /// The tag for HTML and `Content-Language`.
    pub(in crate::http) const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::French => "fr",
        }
    }

    /// The one of two texts that is in this language.
    pub(in crate::http) const fn pick(self, english: &'static str, french: &'static str) -> &'static str {
        match self {
            Self::English => english,
            Self::French => french,
        }
    }

    pub(super) const fn words(self) -> &'static Words {
        match self {
            Self::English => &ENGLISH,
            Self::French => &FRENCH,
        }
    }

    /// What a step asks for.
    pub(in crate::http) const fn action(self, action: StepAction) -> &'static str {
        let (english, french) = match action {
            StepAction::Photography => ("Photo", "Photo"),
            StepAction::Video => ("Video", "Vidéo"),
            StepAction::Signature => ("Signature", "Signature"),
            StepAction::DocumentUpload => ("Document", "Document"),
            StepAction::TextField => ("Text", "Texte"),
            StepAction::NumberField => ("Number", "Nombre"),
            StepAction::DateField => ("Date", "Date"),
            StepAction::Time => ("Time", "Heure"),
            StepAction::Email => ("E-mail address", "Adresse e-mail"),
            StepAction::Select => ("Choice", "Choix"),
        };
        match self {
            Self::English => english,
            Self::French => french,
        }
    }

    /// A moment to the minute, in UTC: the reader's time zone is unknown.
    pub(super) fn moment(self, moment: Timestamp) -> String {
        let moment = moment.to_jiff().to_zoned(TimeZone::UTC);
        match self {
            Self::English => moment.strftime("%-d %B %Y, %H:%M UTC").to_string(),
            Self::French => {
                let day = if moment.day() == 1 { "1er".to_owned() } else { moment.day().to_string() };
                let month = usize::try_from(moment.month() - 1).ok().and_then(|month| FRENCH_MONTHS.get(month));
                format!("{day} {} {} à {}", month.unwrap_or(&""), moment.year(), moment.strftime("%H:%M UTC"))
            }
        }
    }
}

/// Replaces `{}` with `value`.
pub(super) fn fill(sentence: &str, value: &str) -> String {
    sentence.replacen("{}", value, 1)
}

/// Replaces `{}` with a user's text, isolated: text that is written from right to left does not affect the rest of the
/// sentence.
pub(super) fn fill_isolated(sentence: &str, text: &str) -> Markup {
    let (before, after) = sentence.split_once("{}").unwrap_or((sentence, ""));
    html! { (before) bdi { (text) } (after) }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn rfc_9110_the_preferred_language_is_used() {
        for (given, expected) in [
            ("", Language::English),
            ("fr", Language::French),
            ("fr-CA,en;q=0.8", Language::French),
            ("FR-fr", Language::French),
            ("en-GB,en;q=0.9,fr;q=0.8", Language::English),
            ("en;q=0.4, fr;q=0.5", Language::French),
            ("de, fr;q=0.1", Language::French),
            ("de-CH, *;q=0.5", Language::English),
            ("fr;q=0", Language::English),
            ("fr;q=x", Language::English),
            ("fro, frk", Language::English),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_LANGUAGE, HeaderValue::from_str(given).unwrap());
            assert_eq!(Language::preferred(&headers), expected, "{given}");
        }
        assert_eq!(Language::preferred(&HeaderMap::new()), Language::English);
    }

    #[test]
    fn moments_are_written_in_each_language_s_way() {
        let moment: jiff::Timestamp = "2027-08-01T21:59:00Z".parse().unwrap();
        assert_eq!(Language::English.moment(moment.into()), "1 August 2027, 21:59 UTC");
        assert_eq!(Language::French.moment(moment.into()), "1er août 2027 à 21:59 UTC");
    }
}
