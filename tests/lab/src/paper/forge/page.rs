//! Forgeries of the marks on a page.

use super::Forgery;
use crate::{
    paper::{
        sheet::{Area, Mark, Run, Sheet, WHITE},
        typeface::{Face, Family},
    },
    random::Random,
};

/// Changes the marks of a paper.
pub(in crate::paper) fn change_sheets(
    forgery: Forgery,
    sheets: &mut [Sheet],
    family: Family,
    random: &mut Random,
) -> anyhow::Result<()> {
    match forgery {
        Forgery::OtherFont => {
            let (sheet, mark) = target(sheets, random)?;
            if let Mark::Text(run) = &mut sheets[sheet].marks[mark] {
                *run = retyped(run, other_face(run.face, family, random), random);
            }
        }
        Forgery::Mask => {
            let (sheet, mark) = target(sheets, random)?;
            let Mark::Text(run) = sheets[sheet].marks[mark].clone() else { return Ok(()) };
            let area = run.area();
            let ground = ground_under(&sheets[sheet], &area);
            let mask = Area { x: area.x - 1.0, y: area.y - 0.6, width: area.width + 2.0, height: area.height + 1.2 };
            sheets[sheet].marks.push(Mark::Fill(mask, ground));
            // Half of the forgers find the right font.
            let face = if random.whole(0, 1) == 0 { run.face } else { other_face(run.face, family, random) };
            sheets[sheet].marks.push(Mark::Text(retyped(&run, face, random)));
        }
        Forgery::HiddenText => hide(&mut sheets[0], family, random),
        _ => {}
    }
    Ok(())
}

/// A value that is worth changing: an amount, a date, a number or a name.
pub(super) fn target(sheets: &[Sheet], random: &mut Random) -> anyhow::Result<(usize, usize)> {
    let mut places = Vec::new();
    for (page, sheet) in sheets.iter().enumerate() {
        for (index, mark) in sheet.marks.iter().enumerate() {
            let Mark::Text(run) = mark else { continue };
            let worth = [
                "totalAmount",
                "netAmount",
                "expiryDate",
                "issueDate",
                "iban",
                "documentNumber",
                "lastName",
                "fullName",
                "address",
                "policyNumber",
                "registrationNumber",
                "invoiceNumber",
            ];
            if run.field.is_some_and(|field| worth.contains(&field)) {
                places.push((page, index));
            }
        }
    }
    anyhow::ensure!(!places.is_empty(), "the paper has no value worth changing");
    Ok(random.pick(&places))
}

/// The same kind of value with other digits or letters.
pub(super) fn retyped(run: &Run, face: Face, random: &mut Random) -> Run {
    let mut changed = false;
    let text: String = run
        .text
        .chars()
        .map(|letter| match letter.to_digit(10) {
            // The first digit always changes, the others sometimes; years keep their century.
            Some(digit) if !changed || random.whole(0, 2) == 0 => {
                changed = true;
                char::from_digit((digit + 1) % 9 + 1, 10).unwrap_or(letter)
            }
            _ => letter,
        })
        .collect();
    let text = if changed { text } else { format!("{}son", run.text) };
    // The forger estimates the size.
    let size = run.size * random.pick(&[1.0, 0.97, 1.03]);
    Run { text, size, face, ..run.clone() }
}

fn other_face(face: Face, family: Family, random: &mut Random) -> Face {
    let bold = face == family.bold;
    let others = if bold {
        [Face::HelveticaBold, Face::SerifBold, Face::SansBold, Face::ModernBold]
    } else {
        [Face::Helvetica, Face::Serif, Face::Sans, Face::Modern]
    };
    let others: Vec<Face> = others.into_iter().filter(|other| *other != face).collect();
    random.pick(&others)
}

/// The colour of the background.
fn ground_under(sheet: &Sheet, area: &Area) -> [u8; 3] {
    let covers = |fill: &Area| {
        fill.x <= area.x
            && fill.y <= area.y
            && fill.x + fill.width >= area.x + area.width
            && fill.y + fill.height >= area.y + area.height
    };
    let fills = sheet.marks.iter().rev().find_map(|mark| match mark {
        Mark::Fill(fill, colour) if covers(fill) => Some(*colour),
        _ => None,
    });
    fills.unwrap_or(WHITE)
}

/// Text for machines: invisible, of the paper's colour, or too small.
fn hide(sheet: &mut Sheet, family: Family, random: &mut Random) {
    let (text, place) = ("IBAN FR76 3000 4000 0312 3456 7890 143 Total 9 850,00", (80.0, sheet.height * 0.62));
    sheet.text(text, place, 9.5, family.regular);
    let way = random.whole(0, 2);
    if let Some(Mark::Text(run)) = sheet.marks.last_mut() {
        match way {
            0 => run.invisible = true,
            1 => run.colour = WHITE,
            _ => run.size = 0.6,
        }
    }
    if way == 1 && sheet.width < 500.0 {
        // A card is not white.
        sheet.mark_last(None, [226, 235, 243]);
    }
}
