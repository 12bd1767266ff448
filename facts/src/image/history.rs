//! What a JPEG was before its present compression, and which part of it was something else.
//!
//! Whoever changes a picture opens a JPEG, changes it and saves it. What was left as it was has then been quantised twice on
//! the same grid of blocks, and two quantisations leave a comb in the histogram of a frequency: of the values that the first
//! one left, some steps of the second take more than others. What was put in has been quantised once on this grid.
//!
//! How a histogram would look without an earlier compression is estimated from the picture itself, cut some pixels off its
//! grid (J. Fridrich's calibration). Against that stand, for each step that an earlier table can have had, the histograms
//! that it would have left (after T. Bianchi and A. Piva, *Image forgery localization via block-grained analysis of JPEG
//! artifacts*, IEEE TIFS 7(3), 2012, in a simpler form). Each of them may be bent smoothly until it explains best what is
//! there: what off the grid was counted is right about teeth, of which it has none, but not quite about the shape. How much
//! better than none the best of them explains it is the gain of a frequency; the rectangle of blocks that it explains worst
//! is the odd part.
//!
//! Of the gain zeros are left out: most values are zeros, and how many there are depends on the motif more than on anything
//! that was done to it. Where a scan has an earlier compression, they help to find what has not: most of its weak values
//! became zeros. In a photo a smooth sky has more of them than a hedge has, so there is a second search for the part that
//! lacks the comb, without zeros and with the bent shapes.

mod blocks;
mod shape;
#[cfg(test)]
mod tests;

use self::{
    blocks::{Blocks, Grid},
    shape::{Bends, Bent, REACH, Shares, Spread, mixed, shares},
};
use super::{
    jpeg::table_of_quality,
    model::HistoryFacts,
    plane::{Plane, scaled},
};

/// Places in the block, as (vertical, horizontal), with their index in zigzag order: the lowest ones, in which text and
/// textures have most of their strength.
const FREQUENCIES: [(usize, usize, u8); 14] = [
    (0, 1, 1),
    (1, 0, 2),
    (2, 0, 3),
    (1, 1, 4),
    (0, 2, 5),
    (0, 3, 6),
    (1, 2, 7),
    (2, 1, 8),
    (3, 0, 9),
    (3, 1, 11),
    (2, 2, 12),
    (1, 3, 13),
    (2, 3, 17),
    (3, 2, 18),
];
/// Fewer values than these tell nothing of a frequency.
const FEW: f64 = 150.0;
/// The largest step of an earlier table.
const MAX_STEP: u16 = 48;
/// The best of so many steps explains this much more by chance, in natural logarithms of the likelihood.
const CHANCE: f64 = 4.0;
/// The gain from which a frequency tells something of a single block.
const TELLING: f64 = 0.015;
/// What one value can say for or against the earlier compression.
const MOST: f64 = 2.5;
/// A compression quantises all frequencies. No frequency counts for more than so many times the third best of them, or the
/// second best where both are sure, and for little where there is none: two tables can be alike but for some steps.
const TIMES_THE_NEXT: f64 = 3.0;
const ALONE: f64 = 0.000_5;
/// The gain of all values of a frequency, and of all frequencies by one table, from which on it is no chance. In natural
/// logarithms; of photographs for tuning that were compressed once, the second best frequency has up to 22, a table 13.
const SURE: f64 = 60.0;
const SURE_OF_TABLE: f64 = 25.0;
/// Of an earlier table.
const LOWEST_QUALITY: u8 = 50;

/// `table` is the luminance table in zigzag order. `None` for a picture that is too small, or whose table is missing.
pub(super) fn history(plane: &Plane, table: &[u16]) -> Option<HistoryFacts> {
    let table = table.first_chunk::<64>()?;
    let own = Blocks::of(plane, Grid::Own)?;
    let off = Blocks::of(plane, Grid::Off)?;
    let bends = Bends::new();
    let explained: Vec<Explained> = FREQUENCIES
        .iter()
        .enumerate()
        .filter_map(|(index, (_, _, place))| {
            Explained::best(index, table[usize::from(*place)].max(1), (&own, &off), &bends)
        })
        .collect();
    let telling: Vec<&Explained> = explained.iter().filter(|frequency| frequency.gain >= TELLING).collect();
    Some(HistoryFacts {
        gain: scaled(all_together(&explained), 1_000.0),
        table_gain: scaled(by_one_table(&explained), 10_000.0),
        earlier_steps: telling.iter().map(|frequency| (FREQUENCIES[frequency.index].2, frequency.earlier)).collect(),
        odd_parts: own.odd_parts(&explained.iter().filter_map(Explained::odd).collect::<Vec<_>>()),
        combless_parts: own
            .odd_parts(&telling.iter().map(|frequency| frequency.says(&frequency.combless)).collect::<Vec<_>>()),
    })
}

/// The gain of all frequencies.
fn all_together(explained: &[Explained]) -> f64 {
    let mut gains: Vec<(f64, f64)> = explained.iter().map(|frequency| (frequency.gain, frequency.count)).collect();
    gains.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let gain = |rank: usize| gains.get(rank).map_or(0.0, |(gain, _)| *gain);
    let is_sure = |(gain, count): &(f64, f64)| gain * count >= SURE;
    let enough = if gains.iter().filter(|each| is_sure(each)).count() >= 2 { gain(1) } else { gain(2) };
    gains.iter().map(|(gain, _)| gain.min(enough * TIMES_THE_NEXT + ALONE)).sum()
}

/// The gain of the table of annex K, at one quality, that explains all frequencies best at once. Most programs and many
/// cameras have these tables, and there is only one number to choose: hardly anything fits by chance.
fn by_one_table(explained: &[Explained]) -> f64 {
    let of_quality = |quality: u8| {
        let table = table_of_quality(quality);
        let better = |frequency: &Explained| {
            let (_, _, place) = FREQUENCIES[frequency.index];
            frequency.better.get(usize::from(table[usize::from(place)])).copied().unwrap_or(0.0)
        };
        let sum: f64 = explained.iter().map(better).sum();
        let gain: f64 = explained.iter().map(|frequency| better(frequency) / frequency.count).sum();
        if sum >= SURE_OF_TABLE { gain.max(0.0) } else { 0.0 }
    };
    (LOWEST_QUALITY..100).map(of_quality).fold(0.0, f64::max)
}

/// One frequency, and the earlier step that explains its values best.
struct Explained {
    /// Of [`FREQUENCIES`].
    index: usize,
    /// The present step.
    step: u16,
    earlier: u16,
    /// How much better it explains a value than no earlier step does, in natural logarithms.
    gain: f64,
    /// Of how many values, and how much better each earlier step explains all of them together.
    count: f64,
    better: [f64; MAX_STEP as usize + 1],
    /// By magnitude, how much rather it comes from a block without that comb: nothing for a zero.
    combless: Shares,
    /// The gain, and how much rather a magnitude comes from a block without that history, by shapes that are not bent and
    /// tell of zeros, too.
    straight: (f64, Shares),
}

/// What a value of a frequency says of its block.
struct Says<'a> {
    index: usize,
    step: u16,
    by_magnitude: &'a Shares,
}

impl Explained {
    /// `None` where there are too few values.
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
        let (mut best, mut best_straight) = (None::<(Bent, u16, Shares)>, None::<(f64, Shares)>);
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

    fn says<'a>(&self, by_magnitude: &'a Shares) -> Says<'a> {
        Says { index: self.index, step: self.step, by_magnitude }
    }

    /// With zeros, where the frequency tells something.
    fn odd(&self) -> Option<Says<'_>> {
        let (gain, odd) = &self.straight;
        (*gain >= TELLING).then(|| self.says(odd))
    }
}

impl Says<'_> {
    fn of(&self, values: &[f64; FREQUENCIES.len()]) -> f64 {
        magnitude(values[self.index], self.step).map_or(0.0, |place| self.by_magnitude[place])
    }
}

/// How likely what was counted is, in natural logarithms; zeros are left out.
fn likelihood(counted: &Shares, shares: &Shares) -> f64 {
    let all: f64 = shares[1..].iter().sum();
    let of = |(count, share): (&f64, &f64)| if *count > 0.0 { count * (share / all).ln() } else { 0.0 };
    counted[1..].iter().zip(&shares[1..]).map(of).sum()
}

/// The magnitude of a quantised value, where it is counted.
fn magnitude(coefficient: f64, step: u16) -> Option<usize> {
    usize::try_from(scaled((coefficient / f64::from(step)).abs(), 1.0)).ok().filter(|value| *value <= REACH)
}
