//! Readable papers of no known type, some of which mention the known ones.

use super::{Writer, bills};
use crate::paper::{
    form::{Form, plain},
    holder::Firm,
};

pub(super) fn other(writer: &mut Writer<'_>) -> Form {
    let choices: &[fn(&mut Writer<'_>) -> Form] = if writer.judging {
        &[letter, minutes, recipe, quotation, life, lease, article]
    } else {
        &[letter, minutes, recipe, quotation, life]
    };
    let choice = writer.random.pick(choices);
    choice(writer)
}

fn paragraphs(writer: &Writer<'_>, french: &[&str], english: &[&str]) -> Vec<String> {
    writer.language.say(french, english).iter().map(|text| (*text).to_owned()).collect()
}

fn letter(writer: &mut Writer<'_>) -> Form {
    let firm = Firm::invented(&["Cabinet Mirepoix"], writer.language, writer.random);
    let mut form = Form { issuer: bills::issuer(writer, &firm), ..Form::default() };
    bills::addressee(writer, &mut form);
    form.titles = vec![writer.language.say("Objet : votre dossier", "Subject: your claim").into()];
    form.other(writer.language.say("Le", "Date"), writer.past(1, 200));
    form.notes = paragraphs(
        writer,
        &[
            "Madame, Monsieur,",
            "Nous avons bien reçu votre courrier concernant le sinistre survenu à votre domicile et vous en remercions. Un expert prendra contact avec vous la semaine prochaine.",
            "Merci de nous faire parvenir une copie de votre carte d’identité et la facture des réparations.",
            "Veuillez agréer, Madame, Monsieur, l’expression de nos salutations distinguées.",
        ],
        &[
            "Dear customer,",
            "Thank you for your letter about the damage to your home. An expert will call you next week to arrange a visit.",
            "Please send us a copy of your passport and the invoice for the repairs.",
            "Yours sincerely",
        ],
    );
    form
}

fn minutes(writer: &mut Writer<'_>) -> Form {
    let mut form = Form::new();
    form.titles = vec![
        writer
            .language
            .say("Compte rendu de la réunion des copropriétaires", "Minutes of the residents’ meeting")
            .into(),
    ];
    form.other(writer.language.say("Date", "Date"), writer.past(1, 200));
    form.other(
        writer.language.say("Présents", "Present"),
        format!("{}, A. Baranek, N. Tolvaer", writer.holder.full_name()),
    );
    form.notes = paragraphs(
        writer,
        &[
            "1. Ravalement de la façade : trois devis seront demandés.",
            "2. Le local à vélos sera repeint au printemps.",
            "3. La prochaine réunion est fixée en mars.",
        ],
        &[
            "1. Painting of the front: three quotations will be asked for.",
            "2. The bicycle shed will be painted in spring.",
            "3. The next meeting takes place in March.",
        ],
    );
    form
}

fn recipe(writer: &mut Writer<'_>) -> Form {
    let mut form = Form::new();
    form.titles = vec![writer.language.say("Gratin de courge aux noisettes", "Pumpkin gratin with hazelnuts").into()];
    form.other(writer.language.say("Pour", "Serves"), writer.language.say("4 personnes", "4"));
    form.other(writer.language.say("Préparation", "Preparation"), "25 min");
    form.notes = paragraphs(
        writer,
        &[
            "Éplucher la courge et la couper en dés. Faire revenir l’oignon dans le beurre.",
            "Verser dans un plat, couvrir de crème et de noisettes concassées, cuire 40 minutes à 180 °C.",
        ],
        &[
            "Peel the pumpkin and dice it. Soften the onion in butter.",
            "Put into a dish, cover with cream and crushed hazelnuts, bake for 40 minutes at 180 °C.",
        ],
    );
    form
}

/// An offer: it looks like an invoice, but is not one.
fn quotation(writer: &mut Writer<'_>) -> Form {
    let firms = writer.language.say(["Plomberie Lestang"], ["Lestang Plumbing"]);
    let firm = Firm::invented(&firms, writer.language, writer.random);
    let mut form = Form { issuer: bills::issuer(writer, &firm), ..Form::default() };
    form.titles = vec![writer.wording(&["DEVIS", "Devis estimatif"], &["QUOTATION", "Estimate"]).into()];
    bills::addressee(writer, &mut form);
    form.other(writer.language.say("Devis n°", "Quotation number"), format!("D-{:04}", writer.random.whole(1, 9_999)));
    form.other(
        writer.language.say("Valable trois mois à compter du", "Valid for three months from"),
        writer.past(1, 60),
    );
    form.table.head =
        writer.language.say(["Désignation", "Montant"], ["Description", "Amount"]).map(str::to_owned).to_vec();
    let amounts = [writer.cents(20_000, 90_000), writer.cents(4_000, 30_000)];
    let names = writer
        .language
        .say(["Pose d’une douche", "Évacuation des gravats"], ["Fitting of a shower", "Removal of rubble"]);
    for (name, amount) in names.into_iter().zip(amounts) {
        form.table.rows.push(vec![name.into(), writer.amount(amount)]);
    }
    form.sum(None, writer.language.say("Total estimé", "Estimated total"), writer.amount(amounts.iter().sum()));
    form.notes.push(
        writer
            .language
            .say("Bon pour accord, date et signature du client :", "Accepted, date and signature of the customer:")
            .into(),
    );
    form
}

fn life(writer: &mut Writer<'_>) -> Form {
    let mut form = Form { issuer: vec![plain(None, writer.holder.full_name())], ..Form::default() };
    form.titles = vec![writer.language.say("Curriculum vitae", "Curriculum vitae").into()];
    form.other(
        writer.language.say("Adresse", "Address"),
        format!("{}, {}", writer.holder.street, writer.holder.town(writer.language)),
    );
    form.other(writer.language.say("Date de naissance", "Date of birth"), writer.date(writer.holder.birth_date));
    form.other(writer.language.say("Permis", "Licence"), "B");
    form.notes = paragraphs(
        writer,
        &[
            "2019 - aujourd’hui : cheffe d’atelier, menuiserie. Encadrement de six personnes.",
            "2014 - 2019 : menuisière. Formation : CAP, brevet professionnel.",
            "Langues : français, anglais, espagnol. Loisirs : escalade, chant.",
        ],
        &[
            "2019 to date: workshop foreman, joinery. In charge of six people.",
            "2014 to 2019: joiner. Training: apprenticeship.",
            "Languages: English, French, Spanish. Interests: climbing, choir.",
        ],
    );
    form
}

fn lease(writer: &mut Writer<'_>) -> Form {
    let mut form = Form::new();
    form.titles = vec![writer.language.say("CONTRAT DE LOCATION", "TENANCY AGREEMENT").into()];
    form.other(writer.language.say("Le bailleur", "The landlord"), "SCI Les Aulnes");
    form.other(writer.language.say("Le locataire", "The tenant"), writer.holder.full_name());
    form.other(
        writer.language.say("Logement situé", "The property"),
        format!("{}, {}", writer.holder.street, writer.holder.town(writer.language)),
    );
    let rent = writer.cents(45_000, 120_000);
    form.other(writer.language.say("Loyer mensuel", "Monthly rent"), writer.amount(rent));
    form.notes = paragraphs(
        writer,
        &[
            "Le présent bail est consenti pour une durée de trois ans. Le locataire souscrit une assurance et acquitte les factures d’eau et d’électricité.",
            "Un dépôt de garantie d’un mois de loyer est versé à la signature.",
        ],
        &[
            "The tenancy is for a term of three years. The tenant takes out insurance and pays the bills for water and electricity.",
            "A deposit of one month’s rent is paid on signature.",
        ],
    );
    form
}

fn article(writer: &mut Writer<'_>) -> Form {
    let mut form = Form::new();
    form.titles = vec![
        writer
            .language
            .say("Voyager cet été : que faut-il emporter ?", "Travelling this summer: what to take along")
            .into(),
    ];
    form.notes = paragraphs(
        writer,
        &[
            "Un passeport ou une carte d’identité en cours de validité suffit dans la plupart des pays voisins. Vérifiez la date d’expiration avant le départ.",
            "Pensez à l’attestation d’assurance et au permis de conduire si vous louez une voiture.",
        ],
        &[
            "A valid passport or identity card is enough in most neighbouring countries. Check its date of expiry before you leave.",
            "Take your insurance certificate and driving licence along if you hire a car.",
        ],
    );
    form
}
