//! Personal papers: identity card, passport, residence permit, driving licence. Their state is ICAO's Utopia.

use super::Writer;
use crate::paper::{form::Form, zone};

/// The labels are in one language or, as on most cards today, in both.
fn label(writer: &Writer<'_>, bilingual: bool, french: &str, english: &str) -> String {
    if bilingual {
        let (first, second) = writer.language.say((french, english), (english, french));
        format!("{first} / {second}")
    } else {
        writer.language.say(french, english).into()
    }
}

fn person(writer: &mut Writer<'_>, form: &mut Form, bilingual: bool) {
    let holder = writer.holder.clone();
    let say = |french, english| label(writer, bilingual, french, english);
    let (last, first, sex, nationality) =
        (say("Nom", "Surname"), say("Prénoms", "Given names"), say("Sexe", "Sex"), say("Nationalité", "Nationality"));
    let (birth, place) = (say("Date de naissance", "Date of birth"), say("Lieu de naissance", "Place of birth"));
    form.entry("lastName", &last, holder.last_name.to_uppercase());
    form.entry("firstName", &first, holder.first_name.clone());
    form.other(&sex, if holder.woman { "F" } else { "M" });
    form.entry("nationality", &nationality, "UTO");
    form.entry("birthDate", &birth, spaced(holder.birth_date));
    form.other(&place, holder.birth_place.to_uppercase());
}

/// Cards write dates with spaces or points.
fn spaced(date: jiff::civil::Date) -> String {
    let separator = if date.day() % 2 == 0 { " " } else { "." };
    date.strftime(&format!("%d{separator}%m{separator}%Y")).to_string()
}

pub(super) fn identity_card(writer: &mut Writer<'_>) -> Form {
    let bilingual = writer.random.whole(0, 2) > 0;
    let mut form = Form { card: true, ..Form::default() };
    form.titles = vec![
        writer
            .wording(&["RÉPUBLIQUE D’UTOPIE", "ROYAUME D’UTOPIE"], &["REPUBLIC OF UTOPIA", "KINGDOM OF UTOPIA"])
            .into(),
        if bilingual {
            writer.language.say("CARTE NATIONALE D’IDENTITÉ / IDENTITY CARD", "IDENTITY CARD / CARTE D’IDENTITÉ").into()
        } else {
            writer
                .wording(
                    &["CARTE NATIONALE D’IDENTITÉ", "CARTE D’IDENTITÉ"],
                    &["IDENTITY CARD", "NATIONAL IDENTITY CARD"],
                )
                .into()
        },
    ];
    person(writer, &mut form, bilingual);
    let holder = writer.holder.clone();
    form.entry(
        "documentNumber",
        &label(writer, bilingual, "No du document", "Document No."),
        holder.document_number.clone(),
    );
    form.entry("expiryDate", &label(writer, bilingual, "Date d’expir.", "Expiry date"), spaced(holder.expires));
    form.zone = zone::card(if writer.random.whole(0, 1) == 0 { "I<" } else { "ID" }, &holder);
    form
}

pub(super) fn passport(writer: &mut Writer<'_>) -> Form {
    let bilingual = writer.random.whole(0, 3) > 0;
    let mut form = Form { card: true, ..Form::default() };
    form.titles = vec![
        writer
            .wording(&["PASSEPORT  Utopie", "PASSEPORT / PASSPORT"], &["PASSPORT  Utopia", "PASSPORT / PASSEPORT"])
            .into(),
        writer.language.say("Type P   Code du pays UTO", "Type P   Code UTO").into(),
    ];
    let holder = writer.holder.clone();
    let number = label(writer, bilingual, "Passeport No", "Passport No.");
    form.entry("documentNumber", &number, holder.document_number.clone());
    person(writer, &mut form, bilingual);
    form.entry("issueDate", &label(writer, bilingual, "Date de délivrance", "Date of issue"), spaced(holder.issued));
    form.entry("expiryDate", &label(writer, bilingual, "Date d’expiration", "Date of expiry"), spaced(holder.expires));
    form.zone = zone::passport(&holder);
    form
}

pub(super) fn residence_permit(writer: &mut Writer<'_>) -> Form {
    let bilingual = writer.random.whole(0, 2) == 0;
    let mut form = Form { card: true, ..Form::default() };
    form.titles = vec![
        writer
            .wording(
                &["TITRE DE SÉJOUR", "CARTE DE SÉJOUR", "CARTE DE RÉSIDENT"],
                &["RESIDENCE PERMIT", "RESIDENCE CARD", "PERMANENT RESIDENCE CARD"],
            )
            .into(),
        writer.language.say("UTOPIE", "UTOPIA").into(),
    ];
    person(writer, &mut form, bilingual);
    let holder = writer.holder.clone();
    form.entry(
        "documentNumber",
        &label(writer, bilingual, "No du titre", "Permit No."),
        holder.document_number.clone(),
    );
    form.entry("expiryDate", &label(writer, bilingual, "Valable jusqu’au", "Valid until"), spaced(holder.expires));
    let remark = writer
        .wording(&["SALARIÉ", "VIE PRIVÉE ET FAMILIALE", "ÉTUDIANT"], &["WORK PERMITTED", "FAMILY MEMBER", "STUDENT"]);
    form.other(&label(writer, bilingual, "Type de titre / Remarques", "Type of permit / Remarks"), remark);
    form.zone = zone::card("IR", &holder);
    form
}

pub(super) fn driving_licence(writer: &mut Writer<'_>) -> Form {
    let holder = writer.holder.clone();
    let mut form = Form { card: true, ..Form::default() };
    form.titles = vec![
        writer.wording(&["PERMIS DE CONDUIRE"], &["DRIVING LICENCE", "DRIVER LICENCE", "DRIVER'S LICENSE"]).into(),
        writer.language.say("RÉPUBLIQUE D’UTOPIE", "UTOPIA").into(),
    ];
    // The numbers of the fields are those of Directive 2006/126/EC, annex I; some cards also name them in words.
    let words = writer.random.whole(0, 1) == 0;
    let say = |number: &str, french: &str, english: &str| {
        if words { format!("{number} {}", writer.language.say(french, english)) } else { number.to_owned() }
    };
    form.entry("lastName", &say("1.", "Nom", "Surname"), holder.last_name.to_uppercase());
    form.entry("firstName", &say("2.", "Prénoms", "First names"), holder.first_name.clone());
    form.entry(
        "birthDate",
        &say("3.", "Date et lieu de naissance", "Date and place of birth"),
        spaced(holder.birth_date),
    );
    form.entry("issueDate", &say("4a.", "Délivré le", "Date of issue"), spaced(holder.issued));
    form.entry("expiryDate", &say("4b.", "Expire le", "Date of expiry"), spaced(holder.expires));
    form.other(&say("4c.", "Délivré par", "Issued by"), writer.language.say("Préfet 99", "Utopian Licensing Office"));
    form.entry("documentNumber", &say("5.", "Numéro du permis", "Licence number"), holder.document_number.clone());
    form.other(&say("9.", "Catégories", "Categories"), writer.random.pick(&["AM B1 B", "B BE", "A2 B"]));
    form
}
