// Universal signature forgery: the signature is present, but has nothing that could be checked. Each variant is written
// into the signed file, with everything else in place, and again as an update, which leaves the true signature below.

use super::{
    Attack, UNIVERSAL_FORGERY, Victim,
    pdf::{first, hole, object, overwrite, signature, substitute, update},
};

pub(super) fn add(victim: &Victim<'_>, attacks: &mut Vec<Attack>) {
    let pdf = &victim.stamped;
    let mut attack = |variant: String, pdf| attacks.push(Attack::new(UNIVERSAL_FORGERY, variant, pdf));
    let range = byte_range(pdf);
    for (what, to) in RANGES {
        attack(format!("the range {what}"), overwrite(pdf, &range, to));
        let number = signature(pdf);
        let dictionary = object(pdf, number).replace(&range, to);
        attack(format!("the range {what}, in an update"), update(pdf, &[(number, dictionary)]));
    }
    let place = hole(pdf);
    for (what, to) in CONTENTS {
        let mut changed = pdf.clone();
        let blank = format!("{to:width$}", width = place.len());
        changed.splice(place.clone(), blank.bytes());
        attack(format!("the contents are {what}"), changed);
        let changed = [&pdf[..place.start], to.as_bytes(), &pdf[place.end..]].concat();
        attack(format!("the contents are {what}, and everything moves"), changed);
    }
    for (from, to) in DICTIONARY {
        attack(format!("{} becomes {}", from.trim(), to.trim()), overwrite(pdf, from, to));
    }
    attack("the range is not there".to_owned(), overwrite(pdf, "/ByteRange ", "/ByteRangf "));
    attack("the contents are not there".to_owned(), overwrite(pdf, "/Contents <", "/Contentz <"));
    attack("the whole dictionary is empty".to_owned(), update(pdf, &[(signature(pdf), "<< >>".to_owned())]));
    attack("the range is there twice".to_owned(), substitute(pdf, "/ByteRange ", "/ByteRange [0 0 0 0] /ByteRange "));
    attack("the contents are there twice".to_owned(), substitute(pdf, "/Contents <", "/Contents <00> /Contents <"));
}

/// The last `/ByteRange` as written.
pub(super) fn byte_range(pdf: &[u8]) -> String {
    let at = super::pdf::last(pdf, "/ByteRange [") + "/ByteRange ".len();
    let end = at + first(&pdf[at..], "]") + 1;
    pdf[at..end].iter().copied().map(char::from).collect()
}

const RANGES: [(&str, &str); 16] = [
    ("is null", "null"),
    ("is empty", "[]"),
    ("is nothing", "[0 0 0 0]"),
    ("has one number", "[0]"),
    ("has three numbers", "[0 1 2]"),
    ("has five numbers", "[0 1 2 3 4]"),
    ("has six numbers", "[0 1 2 3 4 5]"),
    ("is negative", "[0 -1 -1 -1]"),
    ("is enormous", "[0 9 9 99999999999999999999]"),
    ("has fractions", "[0.0 9.9 9.9 9.9]"),
    ("overlaps itself", "[0 9999 0 9999]"),
    ("starts after the header", "[9 9999 9999 9]"),
    ("holds names", "[/A /B /C /D]"),
    ("is a text", "(0 1 2 3)"),
    ("is a number", "0"),
    ("refers to an object", "[0 4 0 R 4 0 R 4 0 R]"),
];

const CONTENTS: [(&str, &str); 9] = [
    ("null", "null"),
    ("empty", "<>"),
    ("one zero", "<00>"),
    ("an empty sequence", "<3000>"),
    ("a text", "(signature)"),
    ("an empty text", "()"),
    ("a reference", "4 0 R"),
    ("an array", "[]"),
    ("true", "true"),
];

const DICTIONARY: [(&str, &str); 12] = [
    ("/SubFilter /ETSI.CAdES.detached", "/SubFilter /adbe.pkcs7.detached"),
    ("/SubFilter /ETSI.CAdES.detached", "/SubFilter /adbe.pkcs7.sha1"),
    ("/SubFilter /ETSI.CAdES.detached", "/SubFilter /adbe.x509.rsa_sha1"),
    ("/SubFilter /ETSI.CAdES.detached", "/SubFilter /ETSI.RFC3161"),
    ("/SubFilter /ETSI.CAdES.detached", "/SubFilter /none"),
    ("/Type /Sig\n", "/Type /Sih\n"),
    ("/P 1 /V", "/P 2 /V"),
    ("/P 1 /V", "/P 3 /V"),
    ("/TransformMethod /DocMDP", "/TransformMethod /UR3"),
    ("/Perms << /DocMDP", "/Perms << /UR3"),
    ("/FT /Sig", "/FT /Tx"),
    ("/Filter /Adobe.PPKLite", "/Filter /Entrust.PPKEF"),
];
