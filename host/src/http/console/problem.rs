//! Errors of the console: [`guard`](super::guard) shows them as a page, and a form that is shown again says what is wrong
//! with it.

use axum::response::{IntoResponse, Response};

use crate::{
    domain::{
        capture::RetakeRequest,
        console::{Decision, FormProblem, LinkNumber, Outcome, SettingFault},
        legal_hold::HoldRequest,
    },
    error::Error,
    http::link::Language,
};

/// What a handler returns: a page, or a redirect after a form.
pub(super) type PageResult = Result<Response, PageError>;

/// An error to show as a page.
#[derive(Debug)]
pub(super) struct PageError(Error);

/// What the page of an error says. An extension of the response, because only the guard knows the reader.
#[derive(Clone, Debug)]
pub(super) struct Problem(pub(super) String);

impl<E: Into<Error>> From<E> for PageError {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let problem = match &self.0 {
            Error::Internal(_) => String::new(),
            Error::Unavailable { part, .. } => (*part).to_string(),
            error => error.to_string(),
        };
        // The standard answer sets the status, and logs what failed.
        let mut response = self.0.into_response();
        response.extensions_mut().insert(Problem(problem));
        response
    }
}

/// What is wrong with a form, as its page says it.
#[derive(Clone, Debug)]
pub(super) struct Wrong {
    pub(super) text: String,
    pub(super) language: Language,
    /// None if only the text is known.
    pub(super) problem: Option<FormProblem>,
}

impl Wrong {
    pub(super) fn of(problem: FormProblem, language: Language) -> Self {
        // What the library says about a setting is in English only.
        let is_english = matches!(&problem, FormProblem::Setting { fault: SettingFault::Other(_), .. });
        let language = if is_english { Language::English } else { language };
        let text = match language {
            Language::English => english(&problem),
            Language::French => french(&problem),
        };
        Self { text, language, problem: Some(problem) }
    }

    /// What has a text in English only.
    pub(super) fn english(text: impl Into<String>) -> Self {
        Self { text: text.into(), language: Language::English, problem: None }
    }
}

/// Splits what a form may get wrong, and shows again, from what fails for other reasons.
pub(super) fn form_problem<T>(result: Result<T, Error>, language: Language) -> Result<Result<T, Wrong>, PageError> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(Error::Form(problem)) => Ok(Err(Wrong::of(problem, language))),
        Err(
            error @ (Error::Invalid(_)
            | Error::State(_)
            | Error::Conflict(_)
            | Error::Forbidden(_)
            | Error::NotFound(_)),
        ) => Ok(Err(Wrong::english(error.to_string()))),
        Err(error) => Err(error.into()),
    }
}

fn english(problem: &FormProblem) -> String {
    match problem {
        // The person has the page, not the command line.
        FormProblem::WebhookWaits(_) => "the webhook is already waiting: see “Work in progress” below".to_owned(),
        problem => problem.to_string(),
    }
}

#[expect(clippy::too_many_lines, reason = "a flat table, an arm for each problem")]
fn french(problem: &FormProblem) -> String {
    match problem {
        FormProblem::NoOutcome => "décision\u{a0}: choisissez accepté, refusé ou renvoyé".to_owned(),
        FormProblem::NoReason(outcome) => {
            format!("raison\u{a0}: une raison est nécessaire si un dossier est {}", french_outcome(*outcome))
        }
        FormProblem::LongReason => {
            format!("raison\u{a0}: au plus {} caractères sont permis", Decision::LONGEST_REASON)
        }
        FormProblem::ControlInReason => "raison\u{a0}: les caractères de contrôle ne sont pas permis".to_owned(),
        FormProblem::CaseIsOpen => {
            "le dossier est ouvert\u{a0}: il peut être renvoyé, et accepté ou refusé une fois clos".to_owned()
        }
        FormProblem::RetakeReason => {
            format!("raison\u{a0}: saisissez une ligne de 1 à {} caractères", RetakeRequest::LONGEST_REASON)
        }
        FormProblem::NotConfirmed(case) => {
            format!("confirmation\u{a0}: saisissez le numéro du dossier, {case}, pour le supprimer")
        }
        FormProblem::ErasureNotConfirmed(item) => {
            format!("confirmation\u{a0}: saisissez le numéro de l’élément, {item}, pour l’effacer")
        }
        FormProblem::NoGround => "motif\u{a0}: choisissez pourquoi l’élément est effacé".to_owned(),
        FormProblem::WebhookWaits(_) => {
            "le webhook attend déjà\u{a0}: voir «\u{a0}Travaux en cours\u{a0}» plus bas".to_owned()
        }
        FormProblem::WrongPassword => "mot de passe actuel\u{a0}: faux".to_owned(),
        FormProblem::TooManyFailures => "trop d’essais faux\u{a0}: attendez une minute".to_owned(),
        FormProblem::PasswordLength { least, most, given } => {
            format!("mot de passe\u{a0}: il doit avoir de {least} à {most} caractères, et en a {given}")
        }
        FormProblem::PasswordHasUsername => {
            "mot de passe\u{a0}: il ne doit pas contenir le nom d’utilisateur".to_owned()
        }
        FormProblem::WrongCode => "le code est faux, ou a déjà servi".to_owned(),
        FormProblem::WrongFirstCode => {
            "le code est faux\u{a0}: saisissez celui que l’application affiche maintenant".to_owned()
        }
        FormProblem::WrongPasskey => "la clé d’accès n’a pas été acceptée\u{a0}: réessayez".to_owned(),
        FormProblem::TooManyPasskeys { most } => format!("vous avez {most} clés d’accès\u{a0}: retirez-en une d’abord"),
        FormProblem::SecondFactorIsOn => {
            "un second facteur est activé\u{a0}: désactivez-le d’abord avec l’un de ses codes".to_owned()
        }
        FormProblem::NoPassword => {
            "le compte n’a pas de mot de passe\u{a0}: votre organisation vous connecte".to_owned()
        }
        FormProblem::SecondFactorOfProvider => {
            "votre organisation vous connecte, et décide d’un second facteur".to_owned()
        }
        FormProblem::OfProvider(username) => {
            format!("{username} se connecte par le fournisseur d’identité, qui donne aussi le rôle")
        }
        FormProblem::OldForm => "le formulaire est trop ancien\u{a0}: recommencez".to_owned(),
        FormProblem::Username { most } => {
            format!("nom d’utilisateur\u{a0}: de 1 à {most} lettres, chiffres, ou . _ - @ +")
        }
        FormProblem::UsernameTaken(username) => {
            format!(
                "nom d’utilisateur\u{a0}: «\u{a0}{username}\u{a0}» est pris, ou était celui d’un utilisateur supprimé"
            )
        }
        FormProblem::Name { most } => {
            format!("nom\u{a0}: au plus {most} caractères, sans caractères de contrôle")
        }
        FormProblem::OperatorWithCompany => {
            "société\u{a0}: un exploitant appartient à l’installation, pas à une société".to_owned()
        }
        FormProblem::NoCompany(_) => "société\u{a0}: un utilisateur avec ce rôle a besoin d’une société".to_owned(),
        FormProblem::MoreThanOwn => {
            "rôle\u{a0}: vous ne pouvez pas donner un rôle ou des sociétés que vous n’avez pas".to_owned()
        }
        FormProblem::LastOperator => "c’est le dernier exploitant\u{a0}: ajoutez-en d’abord un autre".to_owned(),
        FormProblem::LinkNumber { field, highest } => {
            let field = match field {
                LinkNumber::Uses => "dossiers",
                LinkNumber::Days => "jours",
            };
            format!("{field}\u{a0}: un nombre de 1 à {highest} est attendu")
        }
        FormProblem::NoFrame => "type de dossier\u{a0}: choisissez-en un dans la liste".to_owned(),
        FormProblem::NoComponent => "composant\u{a0}: choisissez-en un dans la liste".to_owned(),
        FormProblem::NoBacktestCompany => "société\u{a0}: choisissez-en une dans la liste".to_owned(),
        FormProblem::BacktestTime(_) => {
            "depuis\u{a0}: un nombre entier suivi de ms, s, m, h ou d (jours) est attendu, par exemple 30d".to_owned()
        }
        FormProblem::BacktestLimit { highest } => {
            format!("nombre de dossiers\u{a0}: un nombre de 1 à {highest} est attendu")
        }
        FormProblem::BacktestSettings(_) => "réglages\u{a0}: un objet JSON est attendu".to_owned(),
        FormProblem::BacktestIsOpen => {
            "un autre essai n’est pas terminé\u{a0}: attendez sa fin, ou arrêtez-le".to_owned()
        }
        FormProblem::Settings(1) => "un réglage d’un plugin est faux\u{a0}: voir son champ".to_owned(),
        FormProblem::Settings(count) => format!("{count} réglages de plugins sont faux\u{a0}: voir leurs champs"),
        FormProblem::Setting { name, fault } => format!("{name}\u{a0}: {}", french_fault(fault)),
        FormProblem::UnusedSettings(plugin) => format!(
            "des réglages ont été saisis pour {plugin}, qui n’est pas utilisé\u{a0}: choisissez-le, et non les réglages \
             par défaut"
        ),
        FormProblem::CaseIsHeld(case) => format!(
            "le dossier {case} est sous conservation légale\u{a0}: il ne peut pas être supprimé avant qu’elle soit levée"
        ),
        FormProblem::HeldAlready(case) => format!("le dossier {case} est déjà sous conservation légale"),
        FormProblem::NotHeld(case) => format!("le dossier {case} n’est pas sous conservation légale"),
        FormProblem::HoldReason => {
            format!("raison\u{a0}: saisissez une ligne de 1 à {} caractères", HoldRequest::LONGEST_REASON)
        }
    }
}

const fn french_outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Accepted => "accepté",
        Outcome::Rejected => "refusé",
        Outcome::Returned => "renvoyé",
    }
}

/// What is wrong with a setting of a plugin.
fn french_fault(fault: &SettingFault) -> String {
    match fault {
        SettingFault::Missing => "obligatoire".to_owned(),
        SettingFault::NotWhole => "un nombre entier est attendu".to_owned(),
        SettingFault::NotNumber => "un nombre est attendu".to_owned(),
        SettingFault::NotJson { line, column } => format!("du JSON est attendu\u{a0}: ligne {line}, colonne {column}"),
        SettingFault::NotObject => "un objet JSON est attendu".to_owned(),
        SettingFault::NotInManifest => {
            "null et les nombres au-dessus de 9223372036854775807 ne sont pas permis".to_owned()
        }
        SettingFault::NotOfList(values) => format!("une de ces valeurs est attendue\u{a0}: {values}"),
        SettingFault::OwnField(name) => format!("«\u{a0}{name}\u{a0}» a son propre champ"),
        SettingFault::Least(limit) => format!("au moins {limit}"),
        SettingFault::Most(limit) => format!("au plus {limit}"),
        SettingFault::Above(limit) => format!("plus de {limit}"),
        SettingFault::Below(limit) => format!("moins de {limit}"),
        SettingFault::MultipleOf(factor) => format!("un multiple de {factor} est attendu"),
        SettingFault::FewCharacters(limit) => format!("au moins {limit} caractères sont nécessaires"),
        SettingFault::ManyCharacters(limit) => format!("au plus {limit} caractères sont permis"),
        SettingFault::Pattern(pattern) => format!("doit correspondre au motif {pattern}"),
        SettingFault::FewElements(limit) => format!("au moins {limit} éléments sont nécessaires"),
        SettingFault::ManyElements(limit) => format!("au plus {limit} éléments sont permis"),
        SettingFault::Repeated => "un élément y est deux fois".to_owned(),
        SettingFault::Unknown(names) => format!("le plugin ne connaît pas {names}"),
        SettingFault::Other(message) => message.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::id::CaseId;

    #[test]
    fn a_page_does_not_speak_of_the_command_line() {
        let problem = FormProblem::WebhookWaits(CaseId::new(7).expect("positive"));
        assert!(problem.to_string().contains("sealwright job list"));
        for language in [Language::English, Language::French] {
            let wrong = Wrong::of(problem.clone(), language);
            assert!(!wrong.text.contains("sealwright") && wrong.language == language, "{}", wrong.text);
        }
    }

    #[test]
    fn what_a_form_gets_wrong_is_in_the_page_s_language_if_there_is_a_text() {
        let of = |error: Error| form_problem::<()>(Err(error), Language::French).map(Result::unwrap_err);
        let missing = of(FormProblem::NoReason(Outcome::Rejected).into()).expect("a problem of the form");
        assert_eq!(missing.text, "raison\u{a0}: une raison est nécessaire si un dossier est refusé");
        assert_eq!(missing.language, Language::French);
        let other = of(Error::state("case already closed")).expect("a problem of the form");
        assert_eq!((other.text.as_str(), other.language), ("case already closed", Language::English));
        assert!(form_problem::<()>(Err(Error::internal(anyhow::anyhow!("lost"))), Language::French).is_err());
    }
}
