//! Turns a page upright whose text runs down, up or upside down.

use crate::facts::{Document, Rectangle, TextRun};

/// How far the text of a page is turned, clockwise, in quarters, and the size of the page in hundredths of a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    quarters: u16,
    width: i32,
    height: i32,
}

impl Turn {
    /// The turn of most of the text.
    pub(super) fn of(runs: &[TextRun], document: &Document, page: u32) -> Self {
        let mut letters = [0_usize; 4];
        for run in runs {
            letters[usize::from(quarter(run.direction))] += run.text.trim().len();
        }
        let most = (0..4).max_by_key(|quarter| (letters[usize::from(*quarter)], std::cmp::Reverse(*quarter)));
        let others: usize = letters.iter().sum();
        // A few words at the edge of a form run upwards.
        let quarters = most.filter(|quarter| letters[usize::from(*quarter)] * 3 > others * 2).unwrap_or(0);
        let size = |of: fn(&crate::facts::Page) -> u32| {
            document.page(page).map_or(0, |facts| i32::try_from(of(&facts)).unwrap_or(i32::MAX))
        };
        Self { quarters, width: size(|page| page.width), height: size(|page| page.height) }
    }

    /// Moves a run to where it is on the upright page.
    pub(super) fn apply(self, run: &mut TextRun) {
        if self.quarters == 0 {
            return;
        }
        run.direction = (run.direction + 360 - self.quarters * 90) % 360;
        let Rectangle { left, top, width, height } = run.area;
        let from_right = self.width.saturating_sub(run.area.right());
        let from_bottom = self.height.saturating_sub(run.area.bottom());
        run.area = match self.quarters {
            1 => Rectangle { left: top, top: from_right, width: height, height: width },
            2 => Rectangle { left: from_right, top: from_bottom, width, height },
            _ => Rectangle { left: from_bottom, top: left, width: height, height: width },
        };
    }
}

fn quarter(direction: u16) -> u16 {
    (direction + 45) / 90 % 4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        facts::PageFacts,
        reading::{cells, cells::tests::run},
    };

    #[test]
    fn a_turned_page_is_read_like_the_upright_one() {
        let (width, height) = (60_000, 80_000);
        let upright = [run("Label", 5_000, 10_000), run("Value", 20_000, 10_000), run("Next line", 5_000, 12_000)];
        for quarters in 0..4 {
            let turned = upright.clone().map(|mut run| {
                let Rectangle { left, top, width: wide, height: high } = run.area;
                let (right, bottom) = (run.area.right(), run.area.bottom());
                run.area = match quarters {
                    0 => run.area,
                    1 => Rectangle { left: height - bottom, top: left, width: high, height: wide },
                    2 => Rectangle { left: width - right, top: height - bottom, width: wide, height: high },
                    _ => Rectangle { left: top, top: width - right, width: high, height: wide },
                };
                run.direction = quarters * 90;
                run
            });
            let size = if quarters % 2 == 0 { (width, height) } else { (height, width) };
            let page = PageFacts {
                width: size.0.unsigned_abs(),
                height: size.1.unsigned_abs(),
                text_runs: turned.to_vec(),
                ..PageFacts::default()
            };
            let cells = cells(&Document { pages: vec![page], ..Document::default() });
            let read: Vec<_> = cells.iter().map(|cell| (cell.text.as_str(), cell.area.left, cell.area.top)).collect();
            assert_eq!(
                read,
                [("Label", 5_000, 10_000), ("Value", 20_000, 10_000), ("Next line", 5_000, 12_000)],
                "{quarters}"
            );
            assert_eq!(cells[0].place, turned[0].area);
        }
    }
}
