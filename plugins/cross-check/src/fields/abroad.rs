//! Labels in German, Spanish, Italian, Dutch and Portuguese: all that invoices have, and the usual ones of cards and
//! policies. Folded like the others; the more specific ones come first.

pub(super) const LAST_NAME: [&str; 7] =
    ["familienname", "nachname", "cognome", "achternaam", "apellidos", "apelidos", "apelido"];

pub(super) const FIRST_NAME: [&str; 4] = ["vorname", "vornamen", "voornamen", "voornaam"];

pub(super) const BIRTH_DATE: [&str; 6] =
    ["geburtsdatum", "geboren am", "fecha de nacimiento", "data di nascita", "geboortedatum", "data de nascimento"];

pub(super) const EXPIRY_DATE: [&str; 8] = [
    "gultig bis",
    "fecha de caducidad",
    "valido hasta",
    "valida fino al",
    "geldig tot",
    "geldig tot en met",
    "data de validade",
    "valido ate",
];

pub(super) const NATIONALITY: [&str; 6] =
    ["staatsangehorigkeit", "nacionalidad", "cittadinanza", "nazionalita", "nationaliteit", "nacionalidade"];

pub(super) const ADDRESS: [&str; 16] = [
    "rechnungsadresse",
    "rechnungsanschrift",
    "lieferadresse",
    "anschrift",
    "domicilio fiscal",
    "domicilio social",
    "domicilio",
    "direccion",
    "sede legale",
    "indirizzo",
    "factuuradres",
    "leveringsadres",
    "bezorgadres",
    "adres",
    "morada fiscal",
    "morada",
];

pub(super) const POST_CODE: [&str; 2] = ["postleitzahl", "codigo postal"];

pub(super) const CITY: [&str; 8] =
    ["wohnort", "poblacion", "localidad", "ciudad", "citta", "woonplaats", "plaats", "localidade"];

pub(super) const ACCOUNT_HOLDER: [&str; 7] = [
    "kontoinhaber",
    "titular de la cuenta",
    "intestatario del conto",
    "intestatario",
    "rekeninghouder",
    "titular da conta",
    "titular",
];

pub(super) const ISSUER: [&str; 7] =
    ["rechnungssteller", "versicherer", "emisor", "fornitore", "leverancier", "verzekeraar", "emitente"];

pub(super) const INVOICE_NUMBER: [&str; 26] = [
    "rechnungsnummer",
    "rechnungsnr",
    "rechnungs nr",
    "rechnung nr",
    "rechnung nummer",
    "belegnummer",
    "beleg nr",
    "numero de factura",
    "num de factura",
    "n de factura",
    "numero factura",
    "factura num",
    "factura n",
    "factura",
    "numero fattura",
    "numero della fattura",
    "fattura numero",
    "fattura n",
    "fattura nr",
    "n fattura",
    "factuurnummer",
    "factuurnr",
    "factuur nr",
    "numero da fatura",
    "n da fatura",
    "fatura n",
];

pub(super) const ISSUE_DATE: [&str; 19] = [
    "rechnungsdatum",
    "datum der rechnung",
    "belegdatum",
    "ausstellungsdatum",
    "fecha de la factura",
    "fecha de factura",
    "fecha factura",
    "fecha de emision",
    "fecha de expedicion",
    "data della fattura",
    "data fattura",
    "data di emissione",
    "data emissione",
    "data documento",
    "factuurdatum",
    "datum factuur",
    "data da fatura",
    "data de emissao",
    "data da emissao",
];

/// The same without more words.
pub(super) const DATE: [&str; 3] = ["datum", "fecha", "data"];

pub(super) const TOTAL: [&str; 41] = [
    "rechnungsbetrag brutto",
    "rechnungsbetrag",
    "zu zahlender betrag",
    "gesamtbetrag brutto",
    "gesamtbetrag inkl mwst",
    "gesamtbetrag",
    "gesamtsumme",
    "bruttobetrag",
    "summe brutto",
    "gesamt brutto",
    "total inkl mwst",
    "endbetrag",
    "zahlbetrag",
    "total factura",
    "total de la factura",
    "importe total",
    "importe a pagar",
    "total con iva",
    "total a pagar",
    "totale fattura",
    "totale documento",
    "totale da pagare",
    "totale a pagare",
    "importo totale",
    "importo da pagare",
    "totale iva inclusa",
    "netto a pagare",
    "totaal te betalen",
    "te betalen bedrag",
    "te betalen",
    "totaalbedrag",
    "totaal bedrag",
    "totaal incl btw",
    "totaal inclusief btw",
    "factuurbedrag",
    "total da fatura",
    "total do documento",
    "total com iva",
    "valor a pagar",
    "montante a pagar",
    "valor total",
];

/// The same in a word that stands at subtotals too.
pub(super) const SUM: [&str; 3] = ["gesamt", "totaal", "totale"];

pub(crate) const NET: [&str; 22] = [
    "gesamtbetrag netto",
    "rechnungsbetrag netto",
    "nettobetrag",
    "nettosumme",
    "gesamt netto",
    "summe netto",
    "zwischensumme",
    "total base imponible",
    "base imponible",
    "importe neto",
    "total sin iva",
    "totale imponibile",
    "totale netto",
    "imponibile",
    "subtotaal",
    "totaal excl btw",
    "totaal exclusief btw",
    "nettobedrag",
    "total sem iva",
    "total iliquido",
    "valor iliquido",
    "base tributavel",
];

/// The net pay of an employee.
pub(super) const PAID: [&str; 8] = [
    "auszahlungsbetrag",
    "nettoverdienst",
    "liquido a percibir",
    "total liquido",
    "netto in busta",
    "netto del mese",
    "netto loon",
    "liquido a receber",
];

pub(super) const REGISTRATION_NUMBER: [&str; 6] =
    ["amtliches kennzeichen", "kennzeichen", "handelsregisternummer", "kvk nummer", "numero rea", "kenteken"];

pub(super) const COMPANY_NAME: [&str; 7] = [
    "firmenname",
    "razon social",
    "denominacion social",
    "ragione sociale",
    "denominazione sociale",
    "bedrijfsnaam",
    "denominacao social",
];

pub(super) const POLICY_NUMBER: [&str; 13] = [
    "versicherungsscheinnummer",
    "versicherungsschein nr",
    "versicherungsnummer",
    "policennummer",
    "numero de poliza",
    "n de poliza",
    "poliza n",
    "numero di polizza",
    "numero polizza",
    "polizza n",
    "polisnummer",
    "numero da apolice",
    "apolice n",
];
