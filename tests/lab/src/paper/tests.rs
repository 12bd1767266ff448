use super::*;

fn options(seed: u64, kind: &'static str, quality: Quality) -> PaperOptions {
    PaperOptions { seed, kind, quality, forgery: None }
}

#[test]
fn a_seed_decides_every_byte_of_a_paper() {
    for quality in [Quality::Clean, Quality::Scan, Quality::Photo] {
        let bytes = |seed| paper(&options(seed, "INVOICE", quality)).unwrap().bytes;
        assert_eq!(bytes(3), bytes(3));
        assert_ne!(bytes(3), bytes(4));
    }
}

#[test]
fn every_type_can_be_made_in_both_languages_by_every_press() {
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..24 {
        for kind in TYPES {
            let paper = paper(&options(seed, kind, Quality::Clean)).unwrap();
            assert!(paper.bytes.starts_with(b"%PDF-"));
            seen.insert((paper.label.language, paper.label.producer));
        }
    }
    assert_eq!(seen.len(), 2 * (PRODUCERS.len() + 1), "{seen:?}");
}

#[test]
fn every_forgery_that_is_possible_changes_the_paper() {
    for kind in TYPES {
        for quality in [Quality::Clean, Quality::Scan] {
            for forgery in Forgery::possible(kind, quality) {
                for seed in 0..3 {
                    let genuine = paper(&options(seed, kind, quality)).unwrap().bytes;
                    let forged = PaperOptions { forgery: Some(forgery), ..options(seed, kind, quality) };
                    let forged = paper(&forged).unwrap_or_else(|error| panic!("{kind} {forgery:?}: {error:#}"));
                    assert!(forged.bytes != genuine, "{kind} {forgery:?} {seed}");
                    // A scan of many pages takes long to draw: one is enough.
                    if quality == Quality::Scan {
                        break;
                    }
                }
            }
        }
    }
}

#[test]
fn labels_say_where_the_values_are() {
    let label = paper(&options(5, "BANK_DETAILS", Quality::Clean)).unwrap().label;
    let iban = &label.fields["iban"];
    assert_eq!(iban.page, 1);
    assert!(iban.area[2] > 50.0, "{:?}", iban.area);
    let json = label.to_json("a.pdf");
    assert_eq!(json["fields"]["iban"]["value"], iban.value);
}
