//! Detects parts of a picture that were compressed on another grid of blocks than the rest.
//!
//! JPEG rounds most frequencies of each block of 8 by 8 pixels to zero, and they stay zeros if the picture is decoded
//! and not changed. So the grid of an earlier compression is the one whose blocks have the most zeros. Each place of a
//! picture votes for the one of 64 grids with the most zeros there, and a part whose votes agree far more often than
//! by chance was compressed on that grid (after T. Nikoukhah, J. Anger, T. Ehret, M. Colom, J.-M. Morel and
//! R. Grompone von Gioi, *ZERO: a local JPEG grid origin detector based on the number of DCT zeros and its applications
//! in image forensics*, IPOL 11, 2021). A part that was copied from another picture, or from elsewhere in this one, has
//! its source's grid.
//!
//! Other than in the paper, there is one vote for each tile of 8 by 8 pixels, and large pictures have only every second
//! row of tiles or fewer. In a JPEG the present grid has the most zeros everywhere, so it is left out, and so are the
//! grids that share its columns or rows; 49 others remain. What counts as zero is then as large as the error that the
//! present compression added.

mod parts;
#[cfg(test)]
mod tests;
mod transform;
mod votes;

use super::{
    lettering::is_lettering,
    model::{GridFacts, GridPart},
    plane::{Plane, to_f64},
};
use votes::{Competitors, Votes};

/// The least evidence that is reported: less than one false alarm in ten thousand pictures, if the votes in a picture
/// without an earlier compression were independent.
const LEAST: f64 = 4.0;
/// What counts as a zero at least: rounding of three colours and of the brightness moves a frequency by about a third.
const LEAST_ZERO: f64 = 0.5;
const LARGEST_ZERO: f64 = 4.0;

/// `table` is the luminance table of a JPEG.
pub(super) fn grids(plane: &Plane, table: Option<&[u16]>) -> GridFacts {
    let (competitors, zero) = match table {
        Some(table) => (Competitors::OffGrid, zero_after(table)),
        None => (Competitors::All, LEAST_ZERO),
    };
    let Some(votes) = Votes::of(plane, competitors, zero) else { return GridFacts::default() };
    let main = votes.main(LEAST);
    let mut parts = parts::parts(&votes, main.map(|(grid, _)| grid), LEAST);
    parts.retain(|part| !is_lettering(plane, (part.left, part.top), (part.width, part.height)));
    GridFacts { main: main.map(|(grid, evidence)| whole(plane, grid, evidence)), parts }
}

/// Half of the standard deviation that quantising adds to a frequency, and a whole one for the largest.
fn zero_after(table: &[u16]) -> f64 {
    // The high frequencies are zero before and after, so they add nothing.
    let low = &table[..table.len().min(28)];
    let square: f64 = low.iter().map(|step| f64::from(*step).powi(2)).sum::<f64>() / to_f64(low.len().max(1) as u64);
    (square / 12.0).sqrt().clamp(LEAST_ZERO, LARGEST_ZERO)
}

fn whole(plane: &Plane, grid: u8, evidence: u32) -> GridPart {
    GridPart {
        left: 0,
        top: 0,
        width: crate::text::count(plane.width),
        height: crate::text::count(plane.height),
        horizontal: grid % 8,
        vertical: grid / 8,
        evidence,
    }
}
