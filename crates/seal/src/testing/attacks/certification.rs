// Attacks on certified documents: annotations and further signatures, which some permissions allow, used to show
// something else. Our certification allows none of them.

use super::{
    Attack, EVIL_ANNOTATION, SNEAKY_SIGNATURE, Victim,
    pdf::{CATALOG, PAGE, free, object, signature, update, with},
};

const ANNOTATIONS: [&str; 20] = [
    "Text",
    "FreeText",
    "Line",
    "Square",
    "Circle",
    "Polygon",
    "PolyLine",
    "Highlight",
    "Underline",
    "Squiggly",
    "StrikeOut",
    "Caret",
    "Stamp",
    "Ink",
    "Popup",
    "FileAttachment",
    "Link",
    "Watermark",
    "Redact",
    "Screen",
];

pub(super) fn add(victim: &Victim<'_>, attacks: &mut Vec<Attack>) {
    let pdf = &victim.stamped;
    let (page, catalog, free) = (object(pdf, PAGE), object(pdf, CATALOG), free(pdf));
    let on_page = |number: u32| (PAGE, page.replace("/Annots [", &format!("/Annots [{number} 0 R ")));
    let in_form = |number: u32| (CATALOG, catalog.replace("/Fields [", &format!("/Fields [{number} 0 R ")));
    let appearance = (free + 1, "<< /Type /XObject /Subtype /Form /BBox [0 0 595 842] /Length 24 >>\nstream\n1 g 0 0 595 842 re f    \nendstream".to_owned());
    let mut attack = |class, variant: &str, pdf| attacks.push(Attack::new(class, variant, pdf));
    for kind in ANNOTATIONS {
        let annotation = format!(
            "<< /Type /Annot /Subtype /{kind} /Rect [0 0 595 842] /F 4 /Contents (Counterfeit) /AP << /N {} 0 R >> >>",
            free + 1
        );
        attack(EVIL_ANNOTATION, kind, update(pdf, &[on_page(free), (free, annotation), appearance.clone()]));
    }
    attack(
        EVIL_ANNOTATION,
        "on the page's list only",
        update(pdf, &[(PAGE, with(&page.replace("/Annots", "/Annotz"), "/Annots []"))]),
    );
    attack(EVIL_ANNOTATION, "on the archive level", {
        let pdf = &victim.archived;
        let number = super::pdf::free(pdf);
        let page = object(pdf, PAGE).replace("/Annots [", &format!("/Annots [{number} 0 R "));
        update(pdf, &[(PAGE, page), (number, "<< /Type /Annot /Subtype /Stamp /Rect [0 0 595 842] /F 4 >>".to_owned())])
    });
    for (what, field) in [
        ("a text field", "/FT /Tx /V (Counterfeit)"),
        ("a button", "/FT /Btn /Ff 65536 /MK << /CA (Counterfeit) >>"),
        ("a choice", "/FT /Ch /V (Counterfeit)"),
        ("an empty signature field", "/FT /Sig"),
        ("a signature field with a lock", "/FT /Sig /Lock << /Type /SigFieldLock /Action /All >>"),
        ("a field without a type", "/V (Counterfeit)"),
    ] {
        let field = format!(
            "<< /Type /Annot /Subtype /Widget /T (Evil) {field} /Rect [0 0 595 842] /F 4 /P 3 0 R /AP << /N {} 0 R >> >>",
            free + 1
        );
        attack(SNEAKY_SIGNATURE, what, update(pdf, &[on_page(free), in_form(free), (free, field), appearance.clone()]));
    }
    let field = |value: u32| {
        format!(
            "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Evil) /V {value} 0 R /Rect [0 0 595 842] /F 4 /P 3 0 R /AP << /N {} 0 R >> >>",
            free + 1
        )
    };
    for (what, signature_dictionary) in [
        ("a second signature that says nothing", "<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /ByteRange [0 0 0 0] /Contents <00> >>".to_owned()),
        ("a second signature that is the first one", object(pdf, signature(pdf))),
        ("a second signature that is the attacker's", object(&victim.foreign, signature(&victim.foreign))),
        ("a second signature of another certificate", object(&victim.other, signature(&victim.other))),
    ] {
        let objects = [on_page(free), in_form(free), (free, field(free + 2)), appearance.clone(), (free + 2, signature_dictionary)];
        attack(SNEAKY_SIGNATURE, what, update(pdf, &objects));
    }
    for (what, from, to) in [
        ("the certification is another signature", "/Perms << /DocMDP", "/Perms << /UR3 4 0 R /DocMDP"),
        ("additional usage rights", "/SigFlags 3", "/SigFlags 1"),
        ("the fields are others", "/Fields [", "/Fields [] /Fieldz ["),
    ] {
        attack(SNEAKY_SIGNATURE, what, update(pdf, &[(CATALOG, catalog.replace(from, to))]));
    }
    let loosened = object(pdf, signature(pdf)).replace("/P 1 /V", "/P 3 /V");
    attack(SNEAKY_SIGNATURE, "the certification allows annotations", update(pdf, &[(signature(pdf), loosened)]));
    attack(SNEAKY_SIGNATURE, "the field of the seal gets an appearance", {
        let head = super::pdf::last(pdf, " 0 obj\n<<\n/Type /Annot\n/Subtype /Widget\n/FT /Sig\n/T (Seal)");
        let digits = pdf[..head].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let number: u32 = std::str::from_utf8(&pdf[head - digits..head]).unwrap().parse().unwrap();
        let field =
            with(&object(pdf, number), &format!("/AP << /N {} 0 R >>", free + 1)).replace("[0 0 0 0]", "[0 0 595 842]");
        update(pdf, &[(number, field), appearance.clone()])
    });
}
