//! Where items were made: compares the sender's position with the camera's, and with the other items.

use sealwright_plugin_sdk::{
    facts::Item,
    findings::found,
    signal::{of_case, of_item},
};

use crate::{
    doubt::Doubts,
    place::{is_nowhere, metres, slack},
    thresholds::Thresholds,
};

pub(crate) fn judge(items: &[Item], thresholds: &Thresholds) -> Option<Doubts> {
    let mut doubts = Doubts::new();
    let placed: Vec<(&Item, _)> = items.iter().filter_map(|item| Some((item, item.position()?))).collect();
    if placed.is_empty() {
        return None;
    }
    for (item, position) in &placed {
        if is_nowhere(position) {
            doubts.push((40, of_item(item.id(), found("NOWHERE", "The position is 0, 0: the device had none."))));
            continue;
        }
        let Some(camera) = item.image().and_then(|image| image.capture()).and_then(|capture| capture.position) else {
            continue;
        };
        let apart = (metres(position, &camera) - slack(position) - slack(&camera)).max(0.0);
        if apart < f64::from(thresholds.camera_elsewhere_metres) {
            continue;
        }
        let cost = match apart {
            ..5_000.0 => 20,
            ..50_000.0 => 45,
            _ => 70,
        };
        let text =
            format!("The camera recorded a different place from the sender's: about {} km apart.", kilometres(apart));
        doubts.push((cost, of_item(item.id(), found("CAMERA_ELSEWHERE", text))));
    }
    let spread = placed
        .iter()
        .flat_map(|(_, from)| placed.iter().map(move |(_, to)| metres(from, to) - slack(from) - slack(to)))
        .fold(0.0, f64::max);
    if spread > f64::from(thresholds.spread_kilometres) * 1_000.0 {
        let text = format!("The items of the case were made up to {} km apart.", kilometres(spread));
        doubts.push((if spread > 200_000.0 { 40 } else { 15 }, of_case(found("SPREAD", text))));
    }
    Some(doubts)
}

/// Whole kilometres, at least one.
pub(crate) fn kilometres(metres: f64) -> String {
    format!("{:.0}", (metres / 1_000.0).max(1.0))
}
