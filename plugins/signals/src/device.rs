//! The devices that made the items: the same device throughout, a real one, with a correct clock.

use sealwright_plugin_sdk::{
    facts::{Device, Item},
    findings::found,
    reading::fold,
    signal::{of_case, of_item},
};

use crate::{doubt::Doubts, thresholds::Thresholds};

const MINUTE: u64 = 60 * 1_000;
/// Milliseconds: the maximum variation of sending times.
const STEADY: u64 = 60 * 1_000;

/// Names of emulators; whole words of manufacturer, model, name or system.
const EMULATORS: [&str; 21] = [
    "sdk gphone",
    "sdk gphone64",
    "android sdk built for",
    "waydroid",
    "redroid",
    "subsystem for android",
    "virtualbox",
    "emulator",
    "simulator",
    "genymotion",
    "bluestacks",
    "nox",
    "goldfish",
    "ranchu",
    "vbox86p",
    "ldplayer",
    "memu",
    "genericx86",
    "generic x86",
    "google sdk",
    "virtual machine",
];

pub(crate) fn judge(items: &[Item], thresholds: &Thresholds) -> Option<Doubts> {
    // Truepic also allows a clock error of five minutes.
    let drift = u64::from(thresholds.clock_drift_minutes) * MINUTE;
    let waiting = i64::from(thresholds.waiting_hours) * 3_600_000;
    let mut doubts = Doubts::new();
    let mut known: Vec<(u64, String)> = Vec::new();
    let mut judged = false;
    for item in items {
        if let Some(device) = item.device() {
            let described = described(&device);
            judged |= !described.is_empty();
            if let Some(name) =
                EMULATORS.iter().find(|name| sealwright_plugin_sdk::reading::text::has_words(&described, name))
            {
                doubts
                    .push((55, of_item(item.id(), found("EMULATOR", format!("The device calls itself \"{name}\".")))));
            }
            if let (Some(maker), Some(model)) = (&device.manufacturer, &device.model) {
                let name = fold(&format!("{maker} {model}"));
                if !known.iter().any(|(_, other)| *other == name) {
                    known.push((item.id(), name));
                }
                if camera_differs(item, model) {
                    let text = "The photo names a different camera from the device that sent it.";
                    doubts.push((20, of_item(item.id(), found("OTHER_CAMERA", text))));
                }
            }
        }
        if let Some(made) = item.client().and_then(|client| client.made_at) {
            judged = true;
            let received = i64::try_from(item.received_at()).unwrap_or(i64::MAX);
            // A clock that is ahead is certainly wrong; one that seems behind may be an item that waited.
            if made > received && made.abs_diff(received) > drift {
                let minutes = made.abs_diff(received) / 60_000;
                doubts.push((
                    35,
                    of_item(item.id(), found("CLOCK_AHEAD", format!("The device's clock is {minutes} minutes ahead."))),
                ));
            } else if received - made > waiting {
                let hours = thresholds.waiting_hours;
                let text = format!("The item says it was made more than {hours} hours before it was received.");
                doubts.push((20, of_item(item.id(), found("LONG_BEFORE", text))));
            }
        }
    }
    if let Some(minutes) = constantly_behind(items, drift) {
        let text = format!("The device's clock is {minutes} minutes behind.");
        doubts.push((35, of_case(found("CLOCK_BEHIND", text))));
    }
    if known.len() > 1 {
        doubts.push((25, of_case(found("SEVERAL_DEVICES", format!("{} different devices sent items.", known.len())))));
    }
    judged.then_some(doubts)
}

/// By how many minutes a clock is behind, from items that were sent as they were made: their delays are equal, while
/// items that waited for a network arrive together.
fn constantly_behind(items: &[Item], drift: u64) -> Option<u64> {
    let waits: Vec<(u64, u64)> = items
        .iter()
        .filter_map(|item| {
            let made = u64::try_from(item.client()?.made_at?).ok()?;
            Some((item.received_at(), item.received_at().checked_sub(made)?))
        })
        .collect();
    let (least, most) = (waits.iter().map(|(_, wait)| *wait).min()?, waits.iter().map(|(_, wait)| *wait).max()?);
    let came = waits.iter().map(|(came, _)| *came);
    let took = came.clone().max()? - came.min()?;
    let steady = waits.len() >= 3 && most - least <= STEADY && took >= 2 * STEADY;
    (steady && least > drift).then_some(least / 60_000)
}

fn described(device: &Device) -> String {
    let parts = [&device.manufacturer, &device.model, &device.name, &device.platform, &device.os];
    fold(&parts.into_iter().flatten().cloned().collect::<Vec<_>>().join(" "))
}

/// Whether the photo names its camera, and it is not this model. Marketing names and codes differ, so only a camera
/// that shares no word with the device counts.
fn camera_differs(item: &Item, model: &str) -> bool {
    let Some(camera) = item.image().and_then(|image| image.capture()).and_then(|capture| capture.model) else {
        return false;
    };
    let (camera, model) = (fold(&camera), fold(model));
    !camera.is_empty()
        && !model.is_empty()
        && !camera.split(' ').any(|word| model.contains(word))
        && !model.split(' ').any(|word| camera.contains(word))
}
