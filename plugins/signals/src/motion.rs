//! How the person moved between two items: a house or a car does not travel, the photographer rarely does, and no one
//! travels faster than an aeroplane.

use sealwright_plugin_sdk::{facts::Item, findings::found, signal::of_item};

use crate::{
    doubt::Doubts,
    gps::kilometres,
    place::{is_nowhere, metres, slack},
    thresholds::Thresholds,
};

/// Metres a second: 320 km/h for the fastest trains, 900 km/h for an aeroplane at altitude.
const TRAIN: f64 = 89.0;
const AEROPLANE: f64 = 250.0;
/// Additional seconds that an aeroplane needs to climb, to land and to taxi.
const OVERHEAD: f64 = 1_800.0;
/// The cost out of 100 when the person must have been in a fast train or an aeroplane, which is SUSPICIOUS by itself,
/// and when even these are not fast enough.
const COST_OF_FAST: u8 = 35;
const COST_OF_IMPOSSIBLE: u8 = 60;

pub(crate) fn judge(items: &[Item], thresholds: &Thresholds) -> Option<Doubts> {
    // Less can be a wrong position.
    let near = f64::from(thresholds.move_metres);
    // Metres a second. The default of 250 km/h is faster than any car and most trains.
    let fast = f64::from(thresholds.fast_kilometres_an_hour) / 3.6;
    let mut stops: Vec<(i64, &Item, _)> = items
        .iter()
        .filter_map(|item| {
            let position = item.position().filter(|position| !is_nowhere(position))?;
            // The device's clock orders its own items better than their times of arrival, which depend on the network.
            let made = item.client().and_then(|client| client.made_at);
            Some((made.unwrap_or_else(|| i64::try_from(item.received_at()).unwrap_or(i64::MAX)), item, position))
        })
        .collect();
    if stops.len() < 2 {
        return None;
    }
    stops.sort_by_key(|(made, item, _)| (*made, item.id()));
    let mut doubts = Doubts::new();
    for pair in stops.windows(2) {
        let ((from_time, _, from), (to_time, item, to)) = (&pair[0], &pair[1]);
        let way = metres(from, to) - slack(from) - slack(to);
        #[expect(clippy::cast_precision_loss, reason = "milliseconds of a case are far below 2^52")]
        let seconds = ((to_time - from_time) as f64 / 1_000.0).max(1.0);
        if way < near || way / seconds < fast {
            continue;
        }
        let possible = seconds >= (way / TRAIN).min(OVERHEAD + way / AEROPLANE);
        let (cost, how) = if possible {
            (COST_OF_FAST, "which requires a fast train or an aeroplane")
        } else {
            (COST_OF_IMPOSSIBLE, "faster than any train or aeroplane")
        };
        let text = format!("Two items were made about {} km and {seconds:.0} seconds apart, {how}.", kilometres(way));
        doubts.push((cost, of_item(item.id(), found("TOO_FAST", text))));
    }
    Some(doubts)
}
