// Shadow documents: the later content is already in the file when it is signed, but not visible. After the signature it
// is made visible, or its cover is removed. We cannot prevent a prepared document from being signed, but we can detect
// that hidden content is made visible later.

use super::{
    Attack, SHADOW_HIDE, SHADOW_HIDE_AND_REPLACE, SHADOW_REPLACE, Victim,
    pdf::{CATALOG, CONTENT, FONT, Finish, PAGE, PAGES, append, object, update, with},
};

/// The additional objects of a prepared document: a content, a page, a page tree, a catalog, a font, a layer, a
/// covering picture, a form field. The first is object `n`, written as `{0}` in the texts, the next as `{1}`, and so
/// on.
pub(crate) const DORMANT: [&str; 8] = [
    "<< /Length 40 >>\nstream\nBT /F1 24 Tf 72 720 Td (Counterfeit) Tj ET \nendstream",
    "<< /Type /Page /Parent {2} 0 R /MediaBox [0 0 595 842] /Contents {0} 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    "<< /Type /Pages /Kids [{1} 0 R] /Count 1 >>",
    "<< /Type /Catalog /Pages {2} 0 R >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>",
    "<< /Type /OCG /Name (Cover) >>",
    "<< /Type /XObject /Subtype /Form /BBox [0 0 595 842] /Length 24 >>\nstream\n1 g 0 0 595 842 re f    \nendstream",
    "<< /FT /Tx /T (Amount) /V (100) /Type /Annot /Subtype /Widget /Rect [72 600 300 630] /F 4 >>",
];

pub(super) fn add(victim: &Victim<'_>, attacks: &mut Vec<Attack>) {
    let (pdf, first) = (&victim.prepared.0, victim.prepared.1);
    let number = |position: u32| first + position;
    let [content, page_number, pages, catalog_number, font, layer, cover, field] = [0, 1, 2, 3, 4, 5, 6, 7].map(number);
    let (page, catalog) = (object(pdf, PAGE), object(pdf, CATALOG));
    let dormant = |number: u32| object(pdf, number);
    let mut attack = |class, variant: &str, pdf| attacks.push(Attack::new(class, variant, pdf));

    for (what, objects) in [
        (
            "the covering layer is switched off",
            vec![(
                CATALOG,
                with(&catalog, &format!("/OCProperties << /OCGs [{layer} 0 R] /D << /OFF [{layer} 0 R] >> >>")),
            )],
        ),
        (
            "a covering form is put over the content",
            vec![(PAGE, page.replace("/Resources <<", &format!("/Resources << /XObject << /X {cover} 0 R >>")))],
        ),
        (
            "the covering form is emptied",
            vec![(
                cover,
                "<< /Type /XObject /Subtype /Form /BBox [0 0 0 0] /Length 0 >>\nstream\n\nendstream".to_owned(),
            )],
        ),
        ("the covering form is freed", vec![(cover, "null".to_owned())]),
        ("the content is an empty one", vec![(CONTENT, "<< /Length 0 >>\nstream\n\nendstream".to_owned())]),
        ("the page is hidden behind another size", vec![(PAGE, with(&page, "/UserUnit 0.001"))]),
        ("the page's content is out of sight", vec![(PAGE, page.replace("[0 0 595 842]", "[5000 5000 5595 5842]"))]),
        (
            "the content is clipped away",
            vec![(PAGE, with(&page, "/TrimBox [0 0 1 1] /ArtBox [0 0 1 1] /BleedBox [0 0 1 1]"))],
        ),
    ] {
        attack(SHADOW_HIDE, what, update(pdf, &objects));
    }
    for (what, objects) in [
        ("the dormant font takes the font's place", vec![(FONT, dormant(font))]),
        ("the page uses the dormant font", vec![(PAGE, page.replace("/F1 5 0 R", &format!("/F1 {font} 0 R")))]),
        (
            "the dormant field is put on the page",
            vec![(PAGE, page.replace("/Annots [", &format!("/Annots [{field} 0 R ")))],
        ),
        (
            "the dormant field gets another value",
            vec![
                (PAGE, page.replace("/Annots [", &format!("/Annots [{field} 0 R "))),
                (field, dormant(field).replace("(100)", "(999)")),
            ],
        ),
        (
            "the dormant field's appearance is another",
            vec![(field, with(&dormant(field), &format!("/AP << /N {cover} 0 R >>")))],
        ),
        (
            "the form's fields include the dormant one",
            vec![(CATALOG, catalog.replace("/Fields [", &format!("/Fields [{field} 0 R ")))],
        ),
        (
            "the form is filled again by the viewer",
            vec![(CATALOG, catalog.replace("/SigFlags 3", "/SigFlags 3 /NeedAppearances true"))],
        ),
        (
            "the signature's field shows the dormant form",
            vec![(PAGE, with(&page, &format!("/PieceInfo << /X {cover} 0 R >>")))],
        ),
    ] {
        attack(SHADOW_REPLACE, what, update(pdf, &objects));
    }
    for (what, objects) in [
        ("the dormant content", vec![(PAGE, page.replace("4 0 R", &format!("{content} 0 R")))]),
        ("the dormant content in the content's number", vec![(CONTENT, dormant(content))]),
        ("the dormant page", vec![(PAGES, format!("<< /Type /Pages /Kids [{page_number} 0 R] /Count 1 >>"))]),
        ("the dormant page in the page's number", vec![(PAGE, dormant(page_number))]),
        ("the dormant page tree", vec![(CATALOG, catalog.replace("/Pages 2 0 R", &format!("/Pages {pages} 0 R")))]),
        ("the dormant page tree in the tree's number", vec![(PAGES, dormant(pages))]),
        ("the dormant catalog in the catalog's number", vec![(CATALOG, dormant(catalog_number))]),
    ] {
        attack(SHADOW_HIDE_AND_REPLACE, what, update(pdf, &objects));
    }
    // Only the table and the trailer change: every object was signed.
    attack(SHADOW_HIDE_AND_REPLACE, "the dormant catalog by the trailer only", {
        let changed = append(pdf, &[], Finish::Whole, "");
        super::pdf::substitute(&changed, "/Root 1 0 R", &format!("/Root {catalog_number} 0 R"))
    });
    for (what, shown, hidden) in [
        ("content", CONTENT, content),
        ("page", PAGE, page_number),
        ("page tree", PAGES, pages),
        ("catalog", CATALOG, catalog_number),
        ("font", FONT, font),
    ] {
        attack(SHADOW_HIDE_AND_REPLACE, &format!("the table gives the dormant {what}'s place for the {what}"), {
            let at = super::pdf::first(pdf, &format!("\n{hidden} 0 obj\n")) + 1;
            retarget(pdf, shown, at)
        });
    }
}

/// An update that only has a table, with an entry that points into the signed part.
fn retarget(pdf: &[u8], number: u32, at: usize) -> Vec<u8> {
    let changed = append(pdf, &[], Finish::Whole, "");
    super::pdf::substitute(&changed, "xref\ntrailer", &format!("xref\n{number} 1\n{at:010} 00000 n \ntrailer"))
}
