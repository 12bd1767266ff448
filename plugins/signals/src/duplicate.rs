//! Photos that were seen before: the same file, or one that looks the same.

use sealwright_plugin_sdk::{facts::Item, findings::found, signal::of_item};

use crate::{doubt::Doubts, thresholds::Thresholds};

/// If a picture is saved again at any quality or downscaled, at most 4 of 64 bits differ, mostly 2. Up to 7, the limit
/// of the host's search, are pictures with a strip cut off, and sometimes one that only looks alike.
pub(crate) fn judge(items: &[Item], thresholds: &Thresholds) -> Option<Doubts> {
    let looked: Vec<&Item> = items.iter().filter(|item| item.duplicates_known()).collect();
    if looked.is_empty() {
        return None;
    }
    let mut doubts = Doubts::new();
    for item in looked {
        // An earlier item is the original; a later one will be judged in its own case.
        let earlier = item.near_duplicates().into_iter().filter(|other| other.received_at <= item.received_at());
        let worst = earlier
            .filter_map(|other| {
                let cost = match (other.same_case, other.same_file, other.distance) {
                    (false, true, _) => 75,
                    (false, false, bits) if bits <= thresholds.same_picture_distance => 60,
                    (false, false, bits) if bits <= thresholds.near_picture_distance => 25,
                    (true, true, _) => 20,
                    // Two photos of the same thing from the same place are normal.
                    _ => return None,
                };
                Some((cost, other))
            })
            .max_by_key(|(cost, _)| *cost);
        if let Some((cost, other)) = worst {
            let what = if other.same_file { "The same file was" } else { "A picture that looks the same was" };
            let text = format!("{what} deposited before, as {}.", other.reference);
            doubts.push((cost, of_item(item.id(), found("SEEN_BEFORE", text))));
        }
    }
    Some(doubts)
}
