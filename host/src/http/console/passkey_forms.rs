//! The forms of passkeys: those of the account, and the one of a sign-in. The script of the console asks the browser for a
//! passkey, because nothing else can; without it the forms stay hidden.

use maud::{Markup, html};

use super::{form::Form, layout, visit::Visit};
use crate::{
    app::console::{
        passkey::{self, Assertion, Challenge, ConsolePasskey},
        session::SecondStep,
    },
    domain::session::SessionToken,
    http::link::Language,
};

/// The passkeys on the page of the account. `challenge` is for a new one; none if the site cannot have any.
pub(super) fn section(visit: &Visit, known: &[ConsolePasskey], challenge: Option<&Challenge>) -> Markup {
    let language = visit.language;
    html! {
        section #passkeys {
            h2 { (language.pick("Passkeys", "Clés d’accès")) }
            p {
                (language.pick(
                    "A passkey is on your device or on a security key. After the password, the sign-in asks for it, or for a code if you have an authenticator app.",
                    "Une clé d’accès est sur votre appareil ou sur une clé de sécurité. Après le mot de passe, la connexion la demande, ou un code si vous avez une application d’authentification.",
                ))
            }
            @if !known.is_empty() {
                ul.rows { @for passkey in known { (row(visit, passkey)) } }
            }
            @match challenge {
                Some(challenge) => (new(visit, challenge)),
                None => p.small {
                    (language.pick(
                        "New passkeys need https and a host with a name: the operator sets it as base_url.",
                        "De nouvelles clés d’accès demandent https et un hôte qui a un nom\u{a0}: l’exploitant le règle dans base_url.",
                    ))
                },
            }
        }
    }
}

fn row(visit: &Visit, passkey: &ConsolePasskey) -> Markup {
    let Visit { token, language, .. } = visit;
    let id = format!("passkey-{}", passkey.id);
    html! {
        li {
            div {
                strong { (passkey.name) }
                br;
                span.small {
                    (language.pick("added ", "ajoutée ")) (layout::moment(passkey.created_at)) " · "
                    @match passkey.used_at {
                        Some(at) => { (language.pick("last used ", "utilisée ")) (layout::moment(at)) }
                        None => { (language.pick("never used", "jamais utilisée")) }
                    }
                }
            }
            details {
                summary aria-label={ (language.pick("Remove the passkey ", "Retirer la clé d’accès ")) (passkey.name) } {
                    (language.pick("Remove", "Retirer"))
                }
                form.stack method="post" action={ "/console/account/passkeys/" (passkey.id) "/remove" } {
                    (layout::csrf(token))
                    (password(&id, *language))
                    button.danger { (language.pick("Remove the passkey", "Retirer la clé d’accès")) }
                }
            }
        }
    }
}

fn new(visit: &Visit, challenge: &Challenge) -> Markup {
    let Visit { user, token, language } = visit;
    html! {
        details {
            summary { (language.pick("Add a passkey", "Ajouter une clé d’accès")) }
            noscript { p { (without_scripts(*language)) } }
            form.stack method="post" action="/console/account/passkeys" hidden data-passkey="create"
                data-challenge=(challenge.challenge) data-domain=(challenge.domain)
                data-credentials=(challenge.credentials.join(" ")) data-timeout=(passkey::PATIENCE.as_millis())
                data-user=(passkey::handle(user)) data-username=(user.username) data-name=(user.name)
                data-failed=(failed(*language)) {
                (layout::csrf(token))
                input type="hidden" name="sealed" value=(challenge.sealed);
                @for name in ["credential", "public-key", "client-data", "authenticator-data"] {
                    input type="hidden" name=(name);
                }
                label for="passkey-name" { (language.pick("Name, such as “Work laptop”", "Nom, par exemple «\u{a0}Portable du bureau\u{a0}»")) }
                input #passkey-name name="name" required maxlength=(passkey::LONGEST_NAME) autocomplete="off";
                (password("passkey-new", *language))
                button { (language.pick("Create the passkey", "Créer la clé d’accès")) }
                p.alert role="alert" hidden {}
            }
        }
    }
}

/// The field for the password that someone with a stolen session does not know.
pub(super) fn password(id: &str, language: Language) -> Markup {
    html! {
        label for=(id) { (language.pick("Current password", "Mot de passe actuel")) }
        input id=(id) name="password" type="password" required autocomplete="current-password";
    }
}

/// What the form of the second step sends of a passkey; none if it sends a code.
pub(super) fn assertion(fields: &Form) -> Option<Assertion<'_>> {
    let credential = fields.filled("credential")?;
    Some(Assertion {
        sealed: fields.text("sealed"),
        credential,
        client_data: fields.text("client-data"),
        authenticator_data: fields.text("authenticator-data"),
        signature: fields.text("signature"),
    })
}

/// The form of the second step that asks for a passkey; nothing if the user has none.
pub(super) fn sign_in(step: &SecondStep, token: &SessionToken, next: &str, language: Language) -> Markup {
    html! {
        @if let Some(challenge) = &step.challenge {
            noscript { p { (without_scripts(language)) } }
            form.stack method="post" action="/console/second-factor" hidden data-passkey="get"
                data-challenge=(challenge.challenge) data-domain=(challenge.domain)
                data-credentials=(challenge.credentials.join(" ")) data-timeout=(passkey::PATIENCE.as_millis())
                data-failed=(failed(language)) {
                (layout::csrf(token))
                input type="hidden" name="next" value=(next);
                input type="hidden" name="sealed" value=(challenge.sealed);
                @for name in ["credential", "client-data", "authenticator-data", "signature"] {
                    input type="hidden" name=(name);
                }
                button { (language.pick("Use a passkey", "Utiliser une clé d’accès")) }
                p.alert role="alert" hidden {}
            }
        } @else if step.has_passkeys {
            p.alert {
                (language.pick(
                    "Your passkeys cannot be used at this address of the console.",
                    "Vos clés d’accès ne peuvent pas être utilisées à cette adresse de la console.",
                ))
            }
        }
    }
}

const fn without_scripts(language: Language) -> &'static str {
    language
        .pick("A passkey needs JavaScript in this browser.", "Une clé d’accès demande JavaScript dans ce navigateur.")
}

const fn failed(language: Language) -> &'static str {
    language.pick(
        "The browser returned no passkey. Try again, at the address at which you usually open the console.",
        "Le navigateur n’a pas renvoyé de clé d’accès. Réessayez, à l’adresse habituelle de la console.",
    )
}
