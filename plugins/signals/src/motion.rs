//! How somebody moved between two items: faster than an aeroplane nobody does, and a whole day's photos are not made in a
//! second.

use sealwright_plugin_sdk::{facts::Item, findings::found, signal::of_item};

use crate::{
    Doubts,
    gps::kilometres,
    place::{is_nowhere, metres, slack},
};

/// Metres a second: about 1,000 km/h, and 250 km/h, which needs a fast train.
const FLIGHT: f64 = 280.0;
const TRAIN: f64 = 70.0;

pub(crate) fn judge(items: &[Item]) -> Option<Doubts> {
    let mut stops: Vec<(i64, &Item, _)> = items
        .iter()
        .filter_map(|item| {
            let position = item.position().filter(|position| !is_nowhere(position))?;
            // The device's clock orders its own items better than the moments of arrival, which wait for a network.
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
        if way < 2_000.0 || way / seconds < TRAIN {
            continue;
        }
        let text =
            format!("About {} km lie between two items that were made {seconds:.0} seconds apart.", kilometres(way));
        doubts.push((if way / seconds > FLIGHT { 60 } else { 25 }, of_item(item.id(), found("TOO_FAST", text))));
    }
    Some(doubts)
}
