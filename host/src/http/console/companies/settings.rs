//! The settings of the company itself: name, appearance, certificate, analysis.

use axum::extract::{Path, State};
use maud::{Markup, html};
use strum::VariantArray as _;

use super::{address, after_change, hidden, parse, revision};
use crate::{
    app::console::company::{self, CompanyView},
    domain::{
        appearance::Colour,
        certificate_extras::{CertificateExtras, EmbeddedSize, MOST_DOCUMENT_PAGES},
        company_manifest::{CompanyManifest, Retention},
        console::Role,
        language::CertificateLanguage,
        time_zone::TimeZoneName,
    },
    error::{Error, Result},
    http::{
        console::{form::Form, problem::PageResult, visit::Visit},
        link::Language,
        shared::Shared,
    },
};

/// `POST /console/companies/:company/settings`
pub(in crate::http::console) async fn change(
    State(shared): State<Shared>,
    visit: Visit,
    Path(id): Path<String>,
    fields: Form,
) -> PageResult {
    let id = parse(&id)?;
    let changed = async {
        company::edit(&shared.app, &visit.user, id, revision(&fields)?, |manifest| set(manifest, &visit, &fields)).await
    };
    let changed = changed.await;
    after_change(&shared, &visit, id, changed).await
}

fn set(manifest: &mut CompanyManifest, visit: &Visit, fields: &Form) -> Result<()> {
    let company = &mut manifest.company;
    fields.text("name").trim().clone_into(&mut company.name);
    company.document_analysis = fields.is_ticked("analysis");
    fields.text("template").clone_into(&mut company.certificate_template);
    company.language = match fields.filled("language") {
        None => CertificateLanguage::default(),
        Some(text) => {
            let language = text.parse::<CertificateLanguage>();
            language.map_err(|_| Error::invalid(format!("language: expected {}", CertificateLanguage::EXPECTED)))?
        }
    };
    company.time_zone = match fields.filled("time_zone") {
        None => None,
        Some(text) => {
            let zone = text.parse::<TimeZoneName>();
            Some(zone.map_err(|_| Error::invalid(format!("time zone: expected {}", TimeZoneName::EXPECTED)))?)
        }
    };
    company.extras = extras(fields)?;
    let audit_days = days(fields, "audit_days", "audit log")?;
    // Otherwise an administrator could remove the records of their own acts.
    let is_shorter = audit_days.is_some_and(|days| company.audit_days.is_none_or(|before| days < before));
    if is_shorter && !visit.user.may(Role::Operator) {
        return Err(Error::forbidden("audit log: only an operator can shorten the time"));
    }
    company.audit_days = audit_days;
    let retention = Retention {
        case_days: days(fields, "case_days", "cases")?,
        original_days: days(fields, "original_days", "originals")?,
        fact_days: days(fields, "fact_days", "what was read in files")?,
        delivery_days: days(fields, "delivery_days", "webhook attempts")?,
    };
    // What is deleted cannot be brought back.
    if retention.is_shorter_than(&company.retention) && !visit.user.may(Role::Operator) {
        return Err(Error::forbidden("retention: only an operator can shorten the times"));
    }
    company.retention = retention;
    company.appearance.colour = match fields.filled("colour") {
        None => None,
        Some(text) => {
            let colour = text.parse::<Colour>();
            Some(colour.map_err(|_| Error::invalid(format!("colour: expected {}", Colour::EXPECTED)))?)
        }
    };
    Ok(())
}

/// What certificates contain in addition; an empty field means nothing.
fn extras(fields: &Form) -> Result<CertificateExtras> {
    let embed_originals = match fields.filled("embed_originals") {
        None => EmbeddedSize::default(),
        Some(text) => {
            let size = text.parse::<EmbeddedSize>();
            size.map_err(|_| Error::invalid(format!("embedded originals: expected {}", EmbeddedSize::EXPECTED)))?
        }
    };
    let show_documents = match fields.filled("show_documents") {
        None => 0,
        Some(text) => text.parse::<u32>().ok().filter(|pages| *pages <= MOST_DOCUMENT_PAGES).ok_or_else(|| {
            Error::invalid(format!("pages of documents: expected a number from 0 to {MOST_DOCUMENT_PAGES}"))
        })?,
    };
    Ok(CertificateExtras { embed_originals, show_documents })
}

/// A number of days; none if the field is empty.
fn days(fields: &Form, name: &str, what: &str) -> Result<Option<u32>> {
    match fields.filled(name) {
        None => Ok(None),
        Some(text) => text.parse().map(Some).map_err(|_| Error::invalid(format!("{what}: must be a number of days"))),
    }
}

pub(super) fn section(visit: &Visit, view: &CompanyView, can_change: bool) -> Markup {
    let (language, company) = (visit.language, &view.stored.company);
    let colour = company.colour.map(|colour| colour.to_string()).unwrap_or_default();
    html! {
        section {
            h2 { (language.pick("Company", "Société")) }
            form.stack method="post" action={ (address(company.id)) "/settings" } {
                (hidden(visit, company.revision))
                fieldset disabled[!can_change] {
                    label for="company-name" { (language.pick("Name", "Nom")) }
                    input #company-name name="name" maxlength="255" required value=(company.name);
                    label.box {
                        input type="checkbox" name="analysis" checked[company.document_analysis];
                        (language.pick("Analyse documents", "Analyser les documents"))
                    }
                    label for="colour" { (language.pick("Colour of the pages, such as #0b5fa5 (empty: none)", "Couleur des pages, par exemple #0b5fa5 (vide : aucune)")) }
                    input #colour name="colour" pattern="#[0-9a-fA-F]{6}" value=(colour);
                    label for="template" { (language.pick("Certificate", "Certificat")) }
                    select #template name="template" {
                        @for name in &view.templates {
                            option value=(name) selected[*name == company.certificate_template] { (name) }
                        }
                    }
                    label for="language" { (language.pick("Language of the certificates", "Langue des certificats")) }
                    select #language name="language" {
                        @for &one in CertificateLanguage::VARIANTS {
                            option value=(one.into_str()) lang=(one.into_str()) selected[one == company.language] { (one.own_name()) }
                        }
                    }
                    label for="time-zone" { (language.pick("Time zone shown next to UTC, such as Europe/Paris (empty: none)", "Fuseau horaire affiché à côté d’UTC, par exemple Europe/Paris (vide : aucun)")) }
                    input #time-zone name="time_zone" value=[company.time_zone.as_ref().map(TimeZoneName::as_str)];
                    (extras_fields(language, company.extras))
                    label for="audit-days" { (language.pick("Days that the audit log is kept (empty: without end)", "Jours de conservation du journal d’audit (vide : sans fin)")) }
                    input #audit-days name="audit_days" type="number" min="30" max="36500"
                        value=[company.audit_days];
                    (retention(language, &company.retention))
                    @if can_change { button { (language.pick("Save", "Enregistrer")) } }
                }
            }
            p {
                a href={ (address(company.id)) "/certificate.pdf" } {
                    (language.pick("A sample of the certificate (PDF)", "Un exemple du certificat (PDF)"))
                }
            }
        }
    }
}

/// The fields with what certificates contain in addition.
fn extras_fields(language: Language, extras: CertificateExtras) -> Markup {
    let size = Some(extras.embed_originals).filter(|size| size.bytes() > 0).map(|size| size.to_string());
    html! {
        label for="embed-originals" {
            (language.pick(
                "Original files embedded in a certificate, up to a size such as 20MB (empty: none)",
                "Fichiers originaux joints au certificat, jusqu’à une taille telle que 20MB (vide\u{a0}: aucun)",
            ))
        }
        input #embed-originals name="embed_originals" value=[size];
        label for="show-documents" {
            (language.pick(
                "Pages of each document that certificates show (empty: documents are only named)",
                "Pages de chaque document montrées dans les certificats (vide\u{a0}: documents seulement nommés)",
            ))
        }
        input #show-documents name="show_documents" type="number" min="0" max=(MOST_DOCUMENT_PAGES)
            value=[Some(extras.show_documents).filter(|pages| *pages > 0)];
    }
}

/// The fields with the times after which data is deleted.
fn retention(language: Language, retention: &Retention) -> Markup {
    let fields = [
        (
            "case_days",
            language.pick(
                "Days that cases are kept (empty: without end)",
                "Jours de conservation des dossiers (vide\u{a0}: sans fin)",
            ),
            retention.case_days,
        ),
        (
            "original_days",
            language.pick(
                "Days that the files of closed cases are kept (empty: as long as the case)",
                "Jours de conservation des fichiers des dossiers clos (vide\u{a0}: comme le dossier)",
            ),
            retention.original_days,
        ),
        (
            "fact_days",
            language.pick(
                "Days that what was read in these files is kept (empty: as long as the case)",
                "Jours de conservation de ce qui a été lu dans ces fichiers (vide\u{a0}: comme le dossier)",
            ),
            retention.fact_days,
        ),
        (
            "delivery_days",
            language.pick(
                "Days that webhook attempts are kept (empty: 30)",
                "Jours de conservation des envois de webhooks (vide\u{a0}: 30)",
            ),
            retention.delivery_days,
        ),
    ];
    html! {
        @for (name, label, days) in fields {
            label for=(name) { (label) }
            input id=(name) name=(name) type="number" min="1" max="36500" value=[days];
        }
    }
}
