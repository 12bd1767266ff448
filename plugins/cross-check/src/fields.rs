//! The fields that can be read (decisions 13), the form of their values, and their labels: here in French and English,
//! in `abroad` in five more languages.

pub(crate) mod abroad;

use sealwright_plugin_sdk::reading::labels::{BORN, EXPIRES, ISSUED, NET, PAID, TOTAL};

/// The form of a value, which decides what is accepted and how two values are compared.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Kind {
    /// Letters.
    Name,
    Date,
    /// An identifier of letters and digits, such as the number of a document: at least one digit.
    Number,
    /// Any text.
    Text,
    /// A street with its number.
    Street,
    PostCode,
    Town,
    Account,
    /// 8 or 11 capitals and digits.
    Bank,
    Amount,
    /// A country or its adjective or code.
    Nationality,
}

/// One field.
pub(crate) struct Field {
    pub(crate) code: &'static str,
    pub(crate) kind: Kind,
    /// Labels next to or above the value, folded; the first match is used, so the most specific come first.
    pub(crate) labels: &'static [&'static [&'static str]],
    /// Types of documents on which the labels mean something else.
    pub(crate) not_on: &'static [&'static str],
}

impl Field {
    /// Its labels in order.
    pub(crate) fn labels(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.labels.iter().copied().flatten().copied()
    }
}

const fn field(code: &'static str, kind: Kind, labels: &'static [&'static [&'static str]]) -> Field {
    Field { code, kind, labels, not_on: &[] }
}

pub(crate) const FIELDS: [Field; 20] = [
    field(
        "lastName",
        Kind::Name,
        &[
            &[
                "nom surname",
                "surname nom",
                "c 1 1",
                "c 1 nom",
                "c 1 surname",
                "nom de famille",
                "nom de naissance",
                "last name",
                "family name",
                "surname",
                "1 nom",
                "1 surname",
                "nom d usage",
                "nom",
                "c 1",
                "1",
            ],
            &abroad::LAST_NAME,
        ],
    ),
    field(
        "firstName",
        Kind::Name,
        &[
            &[
                "prenoms given names",
                "given names prenoms",
                "prenom s",
                "prenoms",
                "prenom",
                "c 1 2",
                "c 1 prenom",
                "c 1 given name",
                "given names",
                "given name",
                "given",
                "first names",
                "first name",
                "forename",
                "forenames",
                "2 prenoms",
                "2 first names",
                "2",
            ],
            &abroad::FIRST_NAME,
        ],
    ),
    field(
        "birthDate",
        Kind::Date,
        &[
            &["date de naissance date of birth", "date of birth date de naissance"],
            &BORN,
            &["birth date", "3"],
            &abroad::BIRTH_DATE,
        ],
    ),
    field(
        "documentNumber",
        Kind::Number,
        &[&[
            "no du document document no",
            "document no no du document",
            "passeport no passport no",
            "passport no passeport no",
            "no du titre permit no",
            "permit no no du titre",
            "numero du permis",
            "5 numero du permis",
            "5 licence number",
            "licence number",
            "passport no",
            "passport number",
            "passeport no",
            "passeport n",
            "no du document",
            "n du document",
            "numero du document",
            "document no",
            "document number",
            "no du titre",
            "permit no",
            "numero de formule",
            "document reference number",
            "reference de l avis",
            "n de l avis",
            "notice reference",
            "assessment number",
            "carte n",
            "card no",
            "5",
        ]],
    ),
    field(
        "expiryDate",
        Kind::Date,
        &[
            &[
                "date d expir expiry date",
                "expiry date date d expir",
                "date d expiration date of expiry",
                "date of expiry date d expiration",
                "valable jusqu au valid until",
                "valid until valable jusqu au",
            ],
            &EXPIRES,
            &abroad::EXPIRY_DATE,
        ],
    ),
    field(
        "nationality",
        Kind::Nationality,
        &[&["nationalite nationality", "nationality nationalite", "nationalite", "nationality"], &abroad::NATIONALITY],
    ),
    field(
        "address",
        Kind::Street,
        &[
            &[
                "c 3 adresse",
                "c 3 address",
                "adresse du siege",
                "registered office address",
                "registered office",
                "siege social",
                "adresse",
                "address",
                "c 3",
                "lieu de consommation",
                "supply address",
                "address supplied",
            ],
            &abroad::ADDRESS,
        ],
    ),
    field("postCode", Kind::PostCode, &[&["code postal", "post code", "postcode"], &abroad::POST_CODE]),
    field("city", Kind::Town, &[&["commune", "ville", "city", "town"], &abroad::CITY]),
    field("iban", Kind::Account, &[&["iban"]]),
    field("bic", Kind::Bank, &[&["code bic swift", "swift bic", "code bic", "bic swift", "bic", "swift"]]),
    field(
        "accountHolder",
        Kind::Name,
        &[
            &[
                "titulaire du compte",
                "name of account holder",
                "intitule du compte",
                "account holder",
                "account name",
                "titulaire",
            ],
            &abroad::ACCOUNT_HOLDER,
        ],
    ),
    field("issuer", Kind::Text, &[&["delivre par", "issued by", "assureur", "insurer", "emetteur"], &abroad::ISSUER]),
    field(
        "invoiceNumber",
        Kind::Number,
        &[
            &[
                "numero de facture",
                "n de facture",
                "facture n",
                "facture numero",
                "ref facture",
                "invoice number",
                "invoice no",
                "invoice ref",
                "invoice",
                "bill number",
                "bill reference",
                "bill no",
                "facture",
            ],
            &abroad::INVOICE_NUMBER,
        ],
    ),
    Field {
        code: "issueDate",
        kind: Kind::Date,
        labels: &[
            &["date de delivrance date of issue", "date of issue date de delivrance"],
            &ISSUED,
            &abroad::ISSUE_DATE,
            &[
                "date de paiement",
                "paye le",
                "pay date",
                "date of payment",
                "i date du certificat",
                "i date of registration",
                "date du certificat",
                "date of registration",
                "date",
                "4a",
                "le",
            ],
            &abroad::DATE,
        ],
        not_on: &[],
    },
    field(
        "totalAmount",
        Kind::Amount,
        &[
            &TOTAL,
            &abroad::TOTAL,
            &[
                "somme a payer",
                "impot sur le revenu net",
                "montant de l impot",
                "income tax due",
                "total tax to pay",
                "tax due",
                "montant a payer",
                "total",
            ],
            &abroad::SUM,
        ],
    ),
    field("netAmount", Kind::Amount, &[&NET, &PAID, &abroad::NET, &abroad::PAID]),
    field(
        "registrationNumber",
        Kind::Number,
        &[
            &[
                "a numero d immatriculation",
                "a registration number",
                "numero d immatriculation",
                "immatriculation au rcs numero",
                "numero rcs",
                "company number",
                "registered number",
                "registration number",
                "vehicle registration",
                "siren",
                "company no",
                "a",
            ],
            &abroad::REGISTRATION_NUMBER,
        ],
    ),
    field(
        "companyName",
        Kind::Text,
        &[
            &[
                "denomination ou raison sociale",
                "denomination sociale",
                "raison sociale",
                "company name",
                "name of the company",
                "denomination",
                "employeur",
                "employer",
            ],
            &abroad::COMPANY_NAME,
        ],
    ),
    field(
        "policyNumber",
        Kind::Number,
        &[
            &[
                "certificate and policy number",
                "police d assurance n",
                "n de police",
                "police n",
                "numero de police",
                "policy number",
                "policy no",
                "contrat n",
                "numero de contrat",
                "n de contrat",
            ],
            &abroad::POLICY_NUMBER,
        ],
    ),
];

/// The field of a code, if it is known.
pub(crate) fn field_of(code: &str) -> Option<&'static Field> {
    FIELDS.iter().find(|field| field.code == code)
}

/// All labels of all fields.
pub(crate) fn labels() -> impl Iterator<Item = &'static str> {
    FIELDS.iter().flat_map(Field::labels)
}

/// Other labels on papers, of fields that are not read.
const OTHER_LABELS: [&str; 36] = [
    "sex",
    "sexe",
    "sexe sex",
    "sex sexe",
    "height",
    "taille",
    "place of birth",
    "lieu de naissance",
    "type",
    "authority",
    "autorite",
    "signature",
    "signature du titulaire",
    "make",
    "marque",
    "model",
    "d 1 make",
    "d 1 marque",
    "remarks",
    "remarques",
    "categories",
    "period",
    "company type",
    "type of company",
    "forme juridique",
    "share capital",
    "capital social",
    "capital",
    "nature of business",
    "activite principale",
    "activites principales",
    "director",
    "gerant",
    "fuel",
    "energie",
    "source d energie",
];

/// Whether a folded text is, or starts with, a label of some field: then it is not a value of another field.
pub(crate) fn is_label(folded: &str) -> bool {
    if OTHER_LABELS.contains(&folded) {
        return true;
    }
    labels().any(|label| {
        label.len() > 3
            && folded
                .strip_prefix(label)
                .is_some_and(|rest| rest.is_empty() || (rest.starts_with(' ') && rest.len() < 4))
    })
}
