//! Detects an earlier compression of a JPEG, and the parts that did not go through it.
//!
//! To change a picture, one opens a JPEG, edits it and saves it. The unchanged part has then been quantised twice on
//! the same grid of blocks, and two quantisations leave a comb in the histogram of a frequency: some steps of the
//! second quantisation collect more of the first one's values than others. The inserted part has been quantised only
//! once on this grid.
//!
//! The histogram without an earlier compression is estimated from the picture itself, shifted some pixels off its grid
//! (J. Fridrich's calibration). It is compared with the histogram that each possible step of an earlier table would
//! have left (after T. Bianchi and A. Piva, *Image forgery localization via block-grained analysis of JPEG artifacts*,
//! IEEE TIFS 7(3), 2012, in a simpler form). Each of them may be bent smoothly for the best fit: the histogram off the
//! grid correctly has no comb, but its shape is not quite right. How much better the best of them fits than no earlier
//! step is the gain of a frequency; the rectangle of blocks that fits worst is the odd part.
//!
//! The gain leaves out zeros: most values are zeros, and their number depends on the motif more than on any editing. If
//! a scan has an earlier compression, zeros help to find the part that lacks it: most weak values of the scan became
//! zeros. In a photo, a smooth sky has more of them than a hedge, so a second search looks for the part that lacks the
//! comb, without zeros and with the bent shapes. Neither search counts blocks with clipped colours: clipping changes the
//! brightness, which removes the comb.

mod blocks;
mod evidence;
mod shape;
#[cfg(test)]
mod tests;

use image::RgbImage;

use self::{
    blocks::{Blocks, Grid},
    evidence::{Evidence, FREQUENCIES, magnitude},
    shape::{BendFit, Bends, REACH, Shares, Spread, mixed, shares},
};
use super::{
    jpeg::table_of_quality,
    model::HistoryFacts,
    plane::{Plane, scaled},
};

/// Fewer values than this say nothing about a frequency.
const FEW: f64 = 150.0;
/// The largest step of an earlier table.
const MAX_STEP: u16 = 48;
/// The best of all steps fits this much better by chance, in natural logarithms of the likelihood.
const CHANCE: f64 = 4.0;
/// The least gain at which a frequency says something about a single block.
const STRONG: f64 = 0.015;
/// The most that one value can count for or against the earlier compression.
const MOST: f64 = 2.5;
/// A compression quantises all frequencies. No frequency counts for more than this many times the third best one, or
/// the second best if both are sure. If there is no such other frequency, it counts for little: two tables can differ
/// in only a few steps.
const TIMES_THE_NEXT: f64 = 3.0;
const ALONE: f64 = 0.000_5;
/// The least gain that is not chance: of all values of a frequency, and of all frequencies by one table. In natural
/// logarithms; in the tuning photographs, compressed once, the second best frequency reaches 22 and a table 13.
const SURE: f64 = 60.0;
const SURE_OF_TABLE: f64 = 25.0;
/// The lowest quality of an earlier table.
const LOWEST_QUALITY: u8 = 50;

/// `colours` are those of `plane`, if it is not grey; `table` is the luminance table in zigzag order. `None` for a picture
/// that is too small, or that has no table.
pub(super) fn history(plane: &Plane, colours: Option<&RgbImage>, table: &[u16]) -> Option<HistoryFacts> {
    let table = table.first_chunk::<64>()?;
    let own = Blocks::of(plane, Grid::Own)?;
    let off = Blocks::of(plane, Grid::Off)?;
    let bends = Bends::new();
    let explained: Vec<FittedFrequency> = FREQUENCIES
        .iter()
        .enumerate()
        .filter_map(|(index, (_, _, place))| {
            FittedFrequency::best(index, table[usize::from(*place)].max(1), (&own, &off), &bends)
        })
        .collect();
    let strong: Vec<&FittedFrequency> = explained.iter().filter(|frequency| frequency.gain >= STRONG).collect();
    Some(HistoryFacts {
        gain: scaled(all_together(&explained), 1_000.0),
        table_gain: scaled(by_one_table(&explained), 10_000.0),
        earlier_steps: strong.iter().map(|frequency| (FREQUENCIES[frequency.index].2, frequency.earlier)).collect(),
        odd_parts: own.odd_parts(&explained.iter().filter_map(FittedFrequency::odd).collect::<Vec<_>>(), colours),
        combless_parts: own.odd_parts(
            &strong.iter().map(|frequency| frequency.evidence(&frequency.combless)).collect::<Vec<_>>(),
            colours,
        ),
    })
}

/// The gain of all frequencies.
fn all_together(explained: &[FittedFrequency]) -> f64 {
    let mut gains: Vec<(f64, f64)> = explained.iter().map(|frequency| (frequency.gain, frequency.count)).collect();
    gains.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let gain = |rank: usize| gains.get(rank).map_or(0.0, |(gain, _)| *gain);
    let is_sure = |(gain, count): &(f64, f64)| gain * count >= SURE;
    let enough = if gains.iter().filter(|each| is_sure(each)).count() >= 2 { gain(1) } else { gain(2) };
    gains.iter().map(|(gain, _)| gain.min(enough * TIMES_THE_NEXT + ALONE)).sum()
}

/// The gain of the table of annex K, at one quality, that fits all frequencies best at once. Most programs and many
/// cameras use these tables, and the only free parameter is the quality, so hardly anything fits by chance.
fn by_one_table(explained: &[FittedFrequency]) -> f64 {
    let of_quality = |quality: u8| {
        let table = table_of_quality(quality);
        let better = |frequency: &FittedFrequency| {
            let (_, _, place) = FREQUENCIES[frequency.index];
            frequency.better.get(usize::from(table[usize::from(place)])).copied().unwrap_or(0.0)
        };
        let sum: f64 = explained.iter().map(better).sum();
        let gain: f64 = explained.iter().map(|frequency| better(frequency) / frequency.count).sum();
        if sum >= SURE_OF_TABLE { gain.max(0.0) } else { 0.0 }
    };
    (LOWEST_QUALITY..100).map(of_quality).fold(0.0, f64::max)
}

/// One frequency, and the earlier step that fits its values best.
struct FittedFrequency {
    /// The index in [`FREQUENCIES`].
    index: usize,
    /// The present step.
    step: u16,
    earlier: u16,
    /// How much better it fits a value than no earlier step, in natural logarithms.
    gain: f64,
    /// The number of values, and how much better each earlier step fits all of them together.
    count: f64,
    better: [f64; MAX_STEP as usize + 1],
    /// By magnitude: how much likelier it comes from a block without that comb. 0 for a zero.
    combless: Shares,
    /// The gain, and how much likelier a magnitude comes from a block without that history, by shapes that are not bent
    /// and include zeros.
    straight: (f64, Shares),
}

impl FittedFrequency {
    /// `None` if there are too few values.
    fn best(index: usize, step: u16, (own, off): (&Blocks, &Blocks), bends: &Bends) -> Option<Self> {
        let mut counted: Shares = [0.0; REACH + 1];
        for place in own.of_frequency(index).filter_map(|value| magnitude(value, step)) {
            counted[place] += 1.0;
        }
        let count: f64 = counted[1..].iter().sum();
        if count < FEW {
            return None;
        }
        let spread = Spread::of(off.of_frequency(index));
        let once = shares(&spread.quantised(step));
        let (none, none_straight) = (bends.fit(&counted, &once), likelihood(&counted, &once));
        let (mut best, mut best_straight) = (None::<(BendFit, u16, Shares)>, None::<(f64, Shares)>);
        let mut better = [0.0; MAX_STEP as usize + 1];
        for earlier in (1..=MAX_STEP).filter(|earlier| *earlier != step) {
            let twice = mixed(&shares(&spread.twice_quantised(earlier, step)), &once);
            let (bent, straight) = (bends.fit(&counted, &twice), likelihood(&counted, &twice));
            better[usize::from(earlier)] = bent.likelihood - none.likelihood;
            if best.as_ref().is_none_or(|(best, ..)| bent.likelihood > best.likelihood) {
                best = Some((bent, earlier, twice));
            }
            if best_straight.as_ref().is_none_or(|(best, _)| straight > *best) {
                best_straight = Some((straight, twice));
            }
        }
        let ((bent, earlier, twice), (straight, twice_straight)) = (best?, best_straight?);
        let gain = |best: f64, none: f64| ((best - none - CHANCE) / count).max(0.0);
        let rather = |once: &Shares, twice: &Shares, place: usize| (once[place] / twice[place]).ln().clamp(-MOST, MOST);
        let (bent_once, bent_twice) = (bends.bent(&once, &none), bends.bent(&twice, &bent));
        Some(Self {
            index,
            step,
            earlier,
            gain: gain(bent.likelihood, none.likelihood),
            count,
            better,
            combless: std::array::from_fn(|at| if at == 0 { 0.0 } else { rather(&bent_once, &bent_twice, at) }),
            straight: (
                gain(straight, none_straight),
                std::array::from_fn(|place| rather(&once, &twice_straight, place)),
            ),
        })
    }

    fn evidence<'a>(&self, by_magnitude: &'a Shares) -> Evidence<'a> {
        Evidence { index: self.index, step: self.step, by_magnitude }
    }

    /// With zeros, if the frequency says something.
    fn odd(&self) -> Option<Evidence<'_>> {
        let (gain, odd) = &self.straight;
        (*gain >= STRONG).then(|| self.evidence(odd))
    }
}

/// The likelihood of the counts, in natural logarithms; zeros are left out.
fn likelihood(counted: &Shares, shares: &Shares) -> f64 {
    let all: f64 = shares[1..].iter().sum();
    let of = |(count, share): (&f64, &f64)| if *count > 0.0 { count * (share / all).ln() } else { 0.0 };
    counted[1..].iter().zip(&shares[1..]).map(of).sum()
}
