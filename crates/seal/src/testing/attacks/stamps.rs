// Time stamps and the store of validation data, which may be appended, used to append something else. The attacker has
// genuine tokens: a time-stamping authority stamps whatever it receives.

use sealwright_seal::{
    Sha256Digest,
    pades::{ValidationMaterial, prepare_time_stamp},
};

use super::{
    Attack, STAMP_ABUSE, Victim,
    forgery::byte_range,
    pdf::{
        CATALOG, CONTENT, COUNTERFEIT, Finish, PAGE, append, free, hole, in_last_hole, last, object, overwrite,
        substitute, update, with,
    },
};

#[expect(clippy::too_many_lines, reason = "a list")]
pub(super) fn add(victim: &Victim<'_>, attacks: &mut Vec<Attack>) {
    let pdf = &victim.stamped;
    let mut attack = |variant: &str, pdf| attacks.push(Attack::new(STAMP_ABUSE, variant, pdf));
    let (catalog, page, number) = (object(pdf, CATALOG), object(pdf, PAGE), free(pdf));
    let store = |entries: &str| {
        vec![(number, format!("<< /Type /DSS {entries} >>")), (CATALOG, with(&catalog, &format!("/DSS {number} 0 R")))]
    };
    for (what, entries) in [
        ("an empty store", ""),
        ("a store with a script", "/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>"),
        ("a store that refers to the page's content", "/Certs [4 0 R]"),
        ("a store with data for one signature", "/VRI << /0000000000000000000000000000000000000000 << >> >>"),
    ] {
        attack(&format!("{what}, without a time stamp"), update(pdf, &store(entries)));
    }
    attack("a store with counterfeit content, without a time stamp", {
        let mut objects = store("");
        objects.push((CONTENT, COUNTERFEIT.to_owned()));
        update(pdf, &objects)
    });

    // A genuine stamp over a counterfeit, by our own code.
    let stamped_over = |changed: Vec<u8>| {
        let prepared = prepare_time_stamp(&changed, None, None).ok()?;
        let token = (victim.stamp)(&prepared.digest());
        prepared.finish(&token).ok()
    };
    for (what, changed) in [
        ("a new content", update(pdf, &[(CONTENT, COUNTERFEIT.to_owned())])),
        (
            "an annotation",
            update(
                pdf,
                &[
                    (PAGE, page.replace("/Annots [", &format!("/Annots [{number} 0 R "))),
                    (number, "<< /Type /Annot /Subtype /Stamp /Rect [0 0 595 842] /F 4 >>".to_owned()),
                ],
            ),
        ),
        (
            "a script",
            update(pdf, &[(CATALOG, with(&catalog, "/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>"))]),
        ),
        ("nothing", update(pdf, &[])),
        ("an unreferenced object", update(pdf, &[(number, COUNTERFEIT.to_owned())])),
        ("a store without a time stamp", update(pdf, &store(""))),
    ] {
        if let Some(stamped) = stamped_over(changed) {
            attack(&format!("a true time stamp over {what}"), stamped);
        }
    }

    // A genuine revision of ours, changed and stamped again: the attacker can get a token over any digest.
    for (what, from, to) in [
        ("more in its dictionary", "/V 0\n>>", "/V 0 /A 1\n>>"),
        ("another type", "/Type /DocTimeStamp", "/Type /Sig /X /DocTimeStamp"),
        ("an action in its field", "/F 132", "/F 132 /A << /S /URI /URI (https://evil.example/) >>"),
        ("a place for its field", "/Rect [0 0 0 0]", "/Rect [0 0 595 842]"),
        ("an appearance of its field", "/Rect [0 0 0 0]", "/Rect [0 0 595 842] /AP << /N 4 0 R >>"),
        ("another name of its field", "/T (TimeStamp1)", "/T (Seal)"),
        ("another filter", "/Filter /Adobe.PPKLite", "/Filter /Evil"),
        ("the page turned", "/Annots [", "/Rotate 90 /Annots ["),
        ("the catalog's own addition", "/AcroForm <<", "/Lang (xx) /AcroForm <<"),
        ("a form that is filled again", "/SigFlags 3", "/SigFlags 3 /NeedAppearances true"),
        ("a comment", "trailer\n", "% nothing to see\ntrailer\n"),
        ("a blank", "trailer\n", "trailer \n"),
    ] {
        if let Some(changed) = restamp(victim, from, to) {
            attack(&format!("a revision of ours with {what}, stamped again"), changed);
        }
    }

    let archived = &victim.archived;
    let prepared = prepare_time_stamp(pdf, None, None).unwrap();
    let true_token = (victim.stamp)(&prepared.digest());
    let true_stamp = prepared.finish(&true_token).unwrap();
    attack("a token over another digest", in_last_hole(&true_stamp, (victim.stamp)(&Sha256Digest::of("other")).der()));
    attack("the token of the signature", {
        let theirs = hole(&victim.other);
        let bytes = victim.other[theirs].to_vec();
        let mut changed = true_stamp.clone();
        let place = hole(&changed);
        changed[place].copy_from_slice(&bytes);
        changed
    });
    attack("no token", in_last_hole(&true_stamp, &[]));
    attack("an empty token", in_last_hole(&true_stamp, &[0x30, 0]));
    attack("a token with something after it", in_last_hole(&true_stamp, &[true_token.der(), &[1]].concat()));
    attack("a token that is cut off", in_last_hole(&true_stamp, &true_token.der()[..true_token.der().len() - 9]));
    attack("a token in lowercase", {
        let mut changed = true_stamp.clone();
        let place = hole(&changed);
        changed[place].make_ascii_lowercase();
        changed
    });
    let range = byte_range(&true_stamp);
    attack("a range that covers the signature alone", overwrite(&true_stamp, &range, "[0 9 9 9]"));
    attack("a range of nothing", overwrite(&true_stamp, &range, "[0 0 0 0]"));
    attack("the first of two archive stamps is taken out", {
        let cut = |pdf: &[u8]| pdf.len();
        [pdf, &victim.renewed[cut(archived)..]].concat()
    });
    attack("the two archive stamps in the other order", {
        [pdf, &victim.renewed[archived.len()..], &archived[pdf.len()..]].concat()
    });
    attack("the archive stamp twice", [&archived[..], &archived[pdf.len()..]].concat());
    attack("an archive stamp of another certificate", [&victim.other[..], &archived[pdf.len()..]].concat());
    attack("an archive stamp without a signature", [&victim.base[..], b"\n", &archived[pdf.len()..]].concat());
    attack("an archive stamp, and after it a counterfeit", update(archived, &[(CONTENT, COUNTERFEIT.to_owned())]));
    attack("an archive stamp, and after it a store", {
        let catalog = object(archived, CATALOG);
        let number = free(archived);
        let at = last(archived, "\n/DSS ");
        let old: String = archived[at..].iter().copied().map(char::from).take_while(|it| *it != 'R').collect();
        let changed = catalog.replace(&format!("{old}R"), &format!("\n/DSS {number} 0 R"));
        update(archived, &[(number, "<< /Type /DSS >>".to_owned()), (CATALOG, changed)])
    });
    attack("a certificate in the store is exchanged", {
        let material = ValidationMaterial::default();
        let prepared = prepare_time_stamp(pdf, Some(&material), None).unwrap();
        let token = (victim.stamp)(&prepared.digest());
        substitute(&prepared.finish(&token).unwrap(), "/Type /DSS", "/Type /DSS /Certs [4 0 R]")
    });
    attack(
        "a time stamp that is not one",
        update(
            pdf,
            &[(
                number,
                "<< /Type /DocTimeStamp /SubFilter /ETSI.RFC3161 /ByteRange [0 0 0 0] /Contents <00> >>".to_owned(),
            )],
        ),
    );
    attack(
        "a time stamp that is in no field",
        append(pdf, &[(number, object(&true_stamp, number))], Finish::Whole, ""),
    );
}

/// Our revision of a time stamp with a change, and a genuine token over the changed file.
fn restamp(victim: &Victim<'_>, from: &str, to: &str) -> Option<Vec<u8>> {
    let pdf = &victim.stamped;
    let prepared = prepare_time_stamp(pdf, None, None).ok()?;
    let token = (victim.stamp)(&prepared.digest());
    let whole = prepared.finish(&token).ok()?;
    let revision = &whole[pdf.len()..];
    revision.windows(from.len()).any(|window| window == from.as_bytes()).then_some(())?;
    let mut changed = [pdf, &substitute(revision, from, to)[..]].concat();
    // Offsets after the change are wrong now. Fix what the attacker can fix: the table's offset and the range.
    let before = last(revision, from) < last(revision, "\nxref\n");
    let old_table = super::pdf::table(&whole);
    let table = if before { old_table + to.len() - from.len() } else { old_table };
    changed = substitute(&changed, &format!("startxref\n{old_table}"), &format!("startxref\n{table}"));
    let place = hole(&changed);
    let range = format!("[0 {:<10} {:<10} {:<10}]", place.start, place.end, changed.len() - place.end);
    let old = byte_range(&changed);
    changed = substitute(&changed, &old, &range);
    let mut hasher = sealwright_seal::Sha256Hasher::new();
    hasher.update(&changed[..place.start]);
    hasher.update(&changed[place.end..]);
    let token = (victim.stamp)(&hasher.finish());
    Some(in_last_hole(&changed, token.der()))
}
