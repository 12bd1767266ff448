use super::*;

fn options(seed: u64, kind: &'static str, quality: Quality) -> PaperOptions {
    PaperOptions { seed, kind, quality, forgery: None }
}

#[test]
fn a_seed_determines_every_byte_of_a_paper() {
    for quality in [Quality::Clean, Quality::Scan, Quality::Photo] {
        let bytes = |seed| paper(&options(seed, "INVOICE", quality)).unwrap().bytes;
        assert_eq!(bytes(3), bytes(3));
        assert_ne!(bytes(3), bytes(4));
    }
}

#[test]
fn every_type_can_be_made_and_every_press_prints_both_languages() {
    let mut seen = std::collections::BTreeSet::new();
    // The seed determines language and press, so each paper has its own.
    for (seed, kind) in (0..160).zip(TYPES.into_iter().cycle()) {
        let paper = paper(&options(seed, kind, Quality::Clean)).unwrap();
        assert!(paper.bytes.starts_with(b"%PDF-"));
        seen.insert((paper.label.language, paper.label.producer));
    }
    assert!(seen.len() > 2 * PRODUCERS.len(), "{seen:?}");
}

#[test]
fn every_forgery_that_is_possible_changes_the_paper() {
    let differ = |kind, quality| {
        let genuine = paper(&options(3, kind, quality)).unwrap().bytes;
        for forgery in Forgery::possible(kind, quality) {
            let forged = PaperOptions { forgery: Some(forgery), ..options(3, kind, quality) };
            let forged = paper(&forged).unwrap_or_else(|error| panic!("{kind} {forgery:?}: {error:#}"));
            assert!(forged.bytes != genuine, "{kind} {forgery:?}");
        }
    };
    for kind in TYPES {
        differ(kind, Quality::Clean);
    }
    // A scan takes long to draw.
    differ("PASSPORT", Quality::Scan);
}

#[test]
fn labels_have_the_places_of_the_values() {
    let label = paper(&options(5, "BANK_DETAILS", Quality::Clean)).unwrap().label;
    let iban = &label.fields["iban"];
    assert_eq!(iban.page, 1);
    assert!(iban.area[2] > 50.0, "{:?}", iban.area);
    let json = label.to_json("a.pdf");
    assert_eq!(json["fields"]["iban"]["value"], iban.value);
}
