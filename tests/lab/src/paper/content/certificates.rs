//! Certificates of vehicles, companies and insurance.

use super::{Writer, bills};
use crate::paper::{
    form::{Form, plain},
    holder::{Firm, day, days_ago, later},
};

pub(super) fn vehicle_registration(writer: &mut Writer<'_>) -> Form {
    let holder = writer.holder.clone();
    let mut form = Form::new();
    form.titles = vec![
        writer
            .wording(
                &["CERTIFICAT D’IMMATRICULATION", "Certificat d’immatriculation (carte grise)"],
                &["REGISTRATION CERTIFICATE", "VEHICLE REGISTRATION CERTIFICATE", "Vehicle registration document"],
            )
            .into(),
        writer
            .language
            .say("RÉPUBLIQUE D’UTOPIE - Ministère de l’Intérieur", "UTOPIA - Vehicle licensing agency")
            .into(),
    ];
    let letters: Vec<char> = "ABCDEFGHJKLMNPQRSTVWXYZ".chars().collect();
    let mut letter = || writer.random.pick(&letters);
    let plate: String = [letter(), letter()].iter().collect::<String>() + "-";
    let tail: String = [letter(), letter()].iter().collect();
    let plate = format!("{plate}{:03}-{tail}", writer.random.whole(1, 999));
    let first = day(writer.random, 2009, 2023);
    let owned = later(first, i64::try_from(writer.random.whole(0, 900)).unwrap_or(0));
    // The letters are those of Directive 1999/37/EC, annex I.
    form.entry(
        "registrationNumber",
        writer.wording(&["A  Numéro d’immatriculation", "A"], &["A  Registration number", "A"]),
        plate,
    );
    form.other(
        writer.language.say("B  Date de première immatriculation", "B  Date of first registration"),
        writer.date(first),
    );
    form.entry("lastName", writer.language.say("C.1 Nom", "C.1 Surname"), holder.last_name.to_uppercase());
    form.entry("firstName", writer.language.say("C.1 Prénom", "C.1 Given name"), holder.first_name.clone());
    form.entry(
        "address",
        writer.language.say("C.3 Adresse", "C.3 Address"),
        format!("{}, {}", holder.street, holder.town(writer.language)),
    );
    form.other(
        writer.language.say("D.1 Marque", "D.1 Make"),
        writer.random.pick(&["ACME", "VOLTERRA", "KESTREL", "ORLEANE"]),
    );
    form.other(
        writer.language.say("D.3 Dénomination commerciale", "D.3 Model"),
        writer.random.pick(&["PICA", "STRADA 4", "GULL", "MISTRAL"]),
    );
    let vin: String = "VF3"
        .chars()
        .chain(
            (0..14)
                .map(|_| writer.random.pick(&['A', 'C', 'D', 'F', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])),
        )
        .collect();
    form.other(writer.language.say("E  Numéro d’identification du véhicule", "E  Vehicle identification number"), vin);
    form.other("F.1", writer.random.whole(1_200, 2_400).to_string());
    form.other(writer.language.say("P.3 Source d’énergie", "P.3 Fuel"), writer.random.pick(&["ES", "GO", "EL"]));
    form.other(writer.language.say("S.1 Places assises", "S.1 Number of seats"), "5");
    form.entry(
        "documentNumber",
        writer.language.say("Numéro de formule", "Document reference number"),
        format!(
            "{}{}{:05}",
            2000 + writer.random.whole(10, 24),
            writer.random.pick(&letters),
            writer.random.whole(0, 99_999)
        ),
    );
    form.entry(
        "issueDate",
        writer.language.say("I  Date du certificat", "I  Date of registration"),
        writer.date(owned),
    );
    form
}

pub(super) fn company_registration(writer: &mut Writer<'_>) -> Form {
    let firms = writer.language.say(
        ["MENUISERIE CORVIN", "ÉLECTRO VALMERLE", "ATELIER MIREPOIX", "LES JARDINS D’ORLE"],
        ["CORVIN JOINERY LIMITED", "VALMERLE ELECTRICS LIMITED", "MIREPOIX WORKSHOP LIMITED", "ORLE GARDENS PLC"],
    );
    let firm = Firm::invented(&firms, writer.language, writer.random);
    let holder = writer.holder.clone();
    let mut form = Form::new();
    form.issuer = vec![
        plain(None, writer.language.say("Greffe du tribunal de commerce de Valmerle", "Companies Registry of Utopia")),
        plain(None, format!("{}, {}", firm.street, firm.town)),
    ];
    form.titles = if writer.is_french() {
        vec![
            writer.wording(&["Extrait Kbis", "EXTRAIT K bis"], &[]).into(),
            "IMMATRICULATION PRINCIPALE AU REGISTRE DU COMMERCE ET DES SOCIÉTÉS".into(),
        ]
    } else {
        vec![
            writer
                .wording(
                    &[],
                    &[
                        "CERTIFICATE OF INCORPORATION",
                        "Company registration extract",
                        "CERTIFICATE OF INCORPORATION OF A PRIVATE LIMITED COMPANY",
                    ],
                )
                .into(),
        ]
    };
    let registered = day(writer.random, 1998, 2024);
    let number = firm.registration.clone();
    form.entry(
        "registrationNumber",
        writer.wording(&["Immatriculation au RCS, numéro", "Numéro RCS"], &["Company number", "Registered number"]),
        if writer.is_french() { format!("{number} R.C.S. Valmerle") } else { number },
    );
    form.other(writer.language.say("Date d’immatriculation", "Date of incorporation"), writer.date(registered));
    form.entry(
        "companyName",
        writer.wording(
            &["Dénomination ou raison sociale", "Dénomination sociale"],
            &["Company name", "Name of the company"],
        ),
        firm.name.clone(),
    );
    form.other(
        writer.language.say("Forme juridique", "Company type"),
        writer.language.say("Société à responsabilité limitée", "Private company limited by shares"),
    );
    form.other(writer.language.say("Capital social", "Share capital"), writer.amount(1_000_000));
    form.entry(
        "address",
        writer.wording(&["Adresse du siège", "Siège social"], &["Registered office", "Registered office address"]),
        format!("{}, {}", firm.street, firm.town),
    );
    form.other(
        writer.language.say("Activités principales", "Nature of business"),
        writer.language.say("Travaux de menuiserie", "Joinery installation"),
    );
    form.other(writer.language.say("Gérant", "Director"), holder.full_name());
    let issued = days_ago(writer.random, 5, 85);
    form.entry(
        "issueDate",
        writer.wording(&["Extrait à jour au", "Délivré le"], &["Dated", "Issued on"]),
        writer.date(issued),
    );
    form.notes.push(writer.language.say("Le greffier. Toute modification ou falsification du présent extrait expose à des poursuites pénales.", "Given at Companies Registry. The registrar of companies certifies that the above company is registered.").into());
    form
}

pub(super) fn insurance_certificate(writer: &mut Writer<'_>) -> Form {
    let firms = writer.language.say(
        ["Mutuelle du Levant", "Assurances Orle", "La Prévoyante de Valmerle"],
        ["Levant Mutual", "Orle Insurance plc", "Valmerle Assurance"],
    );
    let firm = Firm::invented(&firms, writer.language, writer.random);
    let mut form = Form { issuer: bills::issuer(writer, &firm), ..Form::default() };
    let home = writer.random.whole(0, 1) == 0;
    let title = if home {
        writer.wording(
            &["ATTESTATION D’ASSURANCE", "Attestation d’assurance habitation", "ATTESTATION RESPONSABILITÉ CIVILE"],
            &["CERTIFICATE OF INSURANCE", "Home insurance certificate", "EVIDENCE OF INSURANCE COVER"],
        )
    } else {
        writer.wording(
            &["ATTESTATION D’ASSURANCE", "Attestation d’assurance automobile"],
            &["CERTIFICATE OF MOTOR INSURANCE", "Motor insurance certificate"],
        )
    };
    form.titles = vec![title.into()];
    bills::addressee(writer, &mut form);
    let from = days_ago(writer.random, 10, 330);
    let number = format!(
        "{:03}{}{:06}",
        writer.random.whole(1, 999),
        writer.random.pick(&["A", "H", "M"]),
        writer.random.whole(0, 999_999)
    );
    form.entry(
        "policyNumber",
        writer.wording(
            &["Contrat n°", "N° de police", "Numéro de contrat", "Police d’assurance n°"],
            &["Policy number", "Policy No.", "Certificate and policy number"],
        ),
        number,
    );
    form.entry(
        "issueDate",
        writer.wording(&["Fait le", "Établie le", "Émise le"], &["Issued on", "Date of issue"]),
        writer.date(from),
    );
    form.other(writer.wording(&["Valable du", "Date d’effet"], &["Cover starts", "Effective date"]), writer.date(from));
    form.entry(
        "expiryDate",
        writer.wording(&["Valable jusqu’au", "Au", "Date d’échéance"], &["Cover ends", "Expiry date", "Valid until"]),
        writer.date(later(from, 364)),
    );
    form.other(
        writer.language.say("Garanties", "Cover"),
        if home {
            writer
                .language
                .say("Incendie, dégâts des eaux, vol, responsabilité civile", "Fire, escape of water, theft, liability")
        } else {
            writer
                .language
                .say("Responsabilité civile, dommages tous accidents", "Third party liability, comprehensive")
        },
    );
    form.notes.push(
        writer
            .language
            .say(
                "La présente attestation n’implique qu’une présomption de garantie à la charge de l’assureur.",
                "This certificate is evidence that the insurer has issued the policy named above to the policyholder.",
            )
            .into(),
    );
    form
}
