// The skeleton of a file: tables, trailers, ends. If two readers read a file differently, one of them shows it wrongly.

use super::{
    Attack, PARSER_CONFUSION, STRUCTURE, Victim,
    pdf::{
        CATALOG, CONTENT, COUNTERFEIT, Finish, PAGE, PAGES, append, first, free, object, overwrite, substitute, table,
        update, with,
    },
};

pub(super) fn add(victim: &Victim<'_>, attacks: &mut Vec<Attack>) {
    tables(victim, attacks);
    confusions(victim, attacks);
}

fn tables(victim: &Victim<'_>, attacks: &mut Vec<Attack>) {
    let pdf = &victim.stamped;
    let mut attack = |variant: &str, pdf| attacks.push(Attack::new(STRUCTURE, variant, pdf));
    let changed = update(pdf, &[(CONTENT, COUNTERFEIT.to_owned())]);
    let previous = table(pdf);
    for (what, to) in [
        ("no earlier table", String::new()),
        ("itself as the earlier table", format!("/Prev {}", table(&changed))),
        ("an earlier table at 0", "/Prev 0".to_owned()),
        ("a negative earlier table", "/Prev -1".to_owned()),
        ("an earlier table that is skipped", format!("/Prev {}", first(pdf, "\nxref\n") + 1)),
        ("an earlier table by reference", "/Prev 4 0 R".to_owned()),
        ("two earlier tables", format!("/Prev {previous} /Prev 0")),
        ("an earlier table one byte off", format!("/Prev {}", previous + 1)),
        ("an earlier table after the file", "/Prev 9999999999".to_owned()),
    ] {
        attack(&format!("an update with {what}"), substitute(&changed, &format!("/Prev {previous}"), &to));
    }
    for (what, extra) in [
        ("encryption", "/Encrypt << /Filter /Standard /V 1 /R 2 /O () /U () /P -1 >>"),
        ("an additional cross-reference stream", "/XRefStm 0"),
        ("an additional catalog", "/Root 2 0 R"),
        ("an additional size", "/Size 1"),
        ("another identifier", "/ID [<00> <00>]"),
    ] {
        attack(
            &format!("an update with {what}"),
            append(pdf, &[(CONTENT, COUNTERFEIT.to_owned())], Finish::Whole, extra),
        );
    }
    for (what, from, to) in [
        ("entries of another generation", " 00000 n \n", " 00001 n \n"),
        ("a freed object", " 00000 n \n", " 65535 f \n"),
        ("an entry in the signed revision", "xref\n4 1\n", "xref\n5 1\n"),
        ("an entry too many", "xref\n4 1\n", "xref\n4 2\n"),
        ("an entry that is not a number", "xref\n4 1\n0", "xref\n4 1\nx"),
        ("another word for the table", "xref\n4 1\n", "XREF\n4 1\n"),
        ("a blank before the table", "xref\n4 1\n", " xref\n4 1\n"),
        ("another end", "%%EOF\n", "%%EOE\n"),
        ("no end", "%%EOF\n", ""),
        ("two ends", "%%EOF\n", "%%EOF\n%%EOF\n"),
        ("two starts", "startxref\n", "startxref\n0\nstartxref\n"),
        (
            "a start in the signed revision",
            &format!("startxref\n{}", table(&changed)),
            &format!("startxref\n{previous}"),
        ),
        ("a start at 0", &format!("startxref\n{}", table(&changed)), "startxref\n0"),
        ("a start that is negative", &format!("startxref\n{}", table(&changed)), "startxref\n-1"),
    ] {
        attack(&format!("an update with {what}"), substitute(&changed, from, to));
    }
    attack("a cross-reference stream as the update's table", {
        let head = format!(
            "{} 0 obj\n<< /Type /XRef /Size 99 /Root 1 0 R /W [1 2 1] /Index [4 1] /Prev {previous} /Length 4 >>\nstream\n",
            free(pdf)
        );
        let objects = append(pdf, &[(CONTENT, COUNTERFEIT.to_owned())], Finish::Bare, "");
        let objects = &objects[..objects.len() - "%%EOF\n".len()];
        let tail = format!("\nendstream\nendobj\nstartxref\n{}\n%%EOF\n", objects.len());
        [objects, head.as_bytes(), &[1, 0, 0, 0], tail.as_bytes()].concat()
    });
    for (what, from, to) in [
        ("the catalog is another object", "/Root 1 0 R", "/Root 2 0 R"),
        ("the size has another key", "/Size ", "/Sizf "),
        ("the first table has another word", "\nxref\n", "\nXref\n"),
        ("the header is of another version", "%PDF-1.7", "%PDF-1.4"),
        ("the header is of version 2", "%PDF-1.7", "%PDF-2.0"),
    ] {
        attack(what, overwrite_first(pdf, from, to));
    }
}

fn overwrite_first(pdf: &[u8], from: &str, to: &str) -> Vec<u8> {
    let mut changed = pdf.to_vec();
    let at = first(pdf, from);
    changed[at..at + to.len()].copy_from_slice(to.as_bytes());
    changed
}

fn confusions(victim: &Victim<'_>, attacks: &mut Vec<Attack>) {
    let pdf = &victim.stamped;
    let mut attack = |variant: &str, pdf| attacks.push(Attack::new(PARSER_CONFUSION, variant, pdf));
    let (catalog, page, free) = (object(pdf, CATALOG), object(pdf, PAGE), free(pdf));
    let counterfeit = || (free, COUNTERFEIT.to_owned());
    let doubled = |dictionary: &str, entry: &str| dictionary.replacen("<<", &format!("<< {entry}"), 1);
    for (what, objects) in [
        ("a key twice, the first wins", vec![(PAGE, doubled(&page, &format!("/Contents {free} 0 R"))), counterfeit()]),
        ("a key twice, the last wins", vec![(PAGE, with(&page, &format!("/Contents {free} 0 R"))), counterfeit()]),
        (
            "a key twice, once with an escape",
            vec![(PAGE, with(&page, &format!("/Conten#74s {free} 0 R"))), counterfeit()],
        ),
        ("a key with an escape", vec![(CATALOG, catalog.replace("/Pages", "/Page#73"))]),
        ("the permissions' key with an escape", vec![(CATALOG, catalog.replace("/Perms", "/Perm#73"))]),
        ("a broken escape", vec![(CATALOG, with(&catalog, "/A#ZZ null"))]),
        (
            "a comment inside a dictionary",
            vec![
                (PAGE, page.replacen("<<", &format!("<< % /Contents 4 0 R\n/Contents {free} 0 R %"), 1)),
                counterfeit(),
            ],
        ),
        ("a length that is too short", vec![(CONTENT, COUNTERFEIT.replace("40", "4"))]),
        ("a length that is too long", vec![(CONTENT, COUNTERFEIT.replace("40", "4000000"))]),
        (
            "a length by reference",
            vec![(CONTENT, COUNTERFEIT.replace("40", &format!("{free} 0 R"))), (free, "40".to_owned())],
        ),
        ("a length that is negative", vec![(CONTENT, COUNTERFEIT.replace("40", "-40"))]),
        ("a length twice", vec![(CONTENT, COUNTERFEIT.replace("/Length 40", "/Length 40 /Length 0"))]),
        ("a stream in another file", vec![(CONTENT, COUNTERFEIT.replace("/Length 40", "/Length 40 /F (evil.txt)"))]),
        (
            "a stream inside a stream",
            vec![(CONTENT, COUNTERFEIT.replace("Tj ET", "Tj ET endstream endobj 4 0 obj << /Length 0 >> stream"))],
        ),
        (
            "an object inside an object",
            vec![(PAGES, format!("{} endobj {PAGES} 0 obj << /Type /Pages /Kids [] /Count 0 >>", object(pdf, PAGES)))],
        ),
        (
            "a number too large for the reader",
            vec![(PAGES, "<< /Type /Pages /Kids [3 0 R] /Count 99999999999999999999 >>".to_owned())],
        ),
        ("a reference to itself", vec![(PAGES, "<< /Type /Pages /Kids [2 0 R] /Count 1 >>".to_owned())]),
        (
            "a tree without an end",
            vec![
                (PAGES, format!("<< /Type /Pages /Kids [{free} 0 R] /Count 1 >>")),
                (free, "<< /Type /Pages /Kids [2 0 R] /Count 1 >>".to_owned()),
            ],
        ),
        ("a nesting without an end", vec![(free, "[".repeat(5000))]),
        (
            "an object stream",
            vec![(free, "<< /Type /ObjStm /N 1 /First 4 /Length 10 >>\nstream\n4 0 <<>>  \nendstream".to_owned())],
        ),
        ("an unclosed text", vec![(free, "(never closed".to_owned())]),
        ("an unclosed dictionary", vec![(free, "<< /A 1".to_owned())]),
        ("zero bytes in a name", vec![(CATALOG, with(&catalog, "/Op\0enAction null"))]),
    ] {
        attack(what, update(pdf, &objects));
    }
    let changed = update(pdf, &[(CONTENT, COUNTERFEIT.to_owned())]);
    for (what, to) in [
        ("of another generation", "\n4 1 obj\n"),
        ("with another number", "\n5 0 obj\n"),
        ("without its number", "\n  0 obj\n"),
        ("with a sign", "\n+4 0 obj\n"),
        ("with a leading zero", "\n04 0 obj\n"),
    ] {
        attack(&format!("an object {what}"), substitute(&changed, "\n4 0 obj\n", to));
    }
    attack("line ends of another system", overwrite(&changed, "startxref\n", "startxref\r"));
}
