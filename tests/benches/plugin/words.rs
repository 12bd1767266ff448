//! The words of the document for the built-in detector, as a plugin and as native code (which includes this file), so
//! that both get the same input.

/// A line of a page of an invoice, both counted from 0.
pub(crate) fn text(page: u32, line: u32) -> String {
    match (page, line) {
        (0, 0) => "FACTURE".to_owned(),
        (0, 1) => "Facture n° F-2026-117".to_owned(),
        (_, line) if line % 10 == 9 => format!("Total TTC {page}{line},00 €"),
        _ => format!("Pose de canalisations en cuivre, lot {page}.{line}, main d’œuvre comprise"),
    }
}
