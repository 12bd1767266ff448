//! Everything the demo needs, in one folder, with a list of what is in it.

use std::{fs, path::Path};

use anyhow::Context as _;
use serde_json::{Value, json};

use crate::{
    Person, PhotoOptions, RepairInvoice, VideoOptions, energy_bill, identity_card, person::house_number, photo,
    repair_invoice, signature, video,
};

/// Writes one specimen of each kind to `folder`, which is created if it does not exist, and `specimens.json` that
/// describes them: file names by kind, the person and the amounts of the documents, the photo's time and place. Returns
/// that list.
///
/// # Errors
/// If a file cannot be written; the message names it.
pub fn write_specimens(folder: &Path, seed: u64) -> anyhow::Result<Value> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let person = Person::invented(seed);
    let invoice = RepairInvoice::invented(seed);
    let upright = PhotoOptions { seed, ..PhotoOptions::default() };
    let rotated = PhotoOptions { stored_rotated: true, width: 1500, height: 2000, ..upright.clone() };
    let files = [
        ("photo", "photo.jpg", photo(&upright)?),
        ("rotatedPhoto", "photo-rotated.jpg", photo(&rotated)?),
        ("signature", "signature.png", signature(seed)?),
        ("video", "video.mp4", video(&VideoOptions { seed, ..VideoOptions::default() })?),
        ("identityCard", "identity-card.pdf", identity_card(&person)?),
        ("repairInvoice", "repair-invoice.pdf", repair_invoice(&person, &invoice)?),
        ("energyBill", "energy-bill.pdf", energy_bill(&person, seed)?),
    ];
    let names: serde_json::Map<_, _> = files.iter().map(|(kind, name, _)| ((*kind).into(), json!(name))).collect();
    let list = json!({
        "seed": seed,
        "files": names,
        "houseNumber": house_number(seed),
        "takenAt": upright.taken_at.to_string(),
        "position": upright.position.map(|place| json!({ "latitude": place.latitude, "longitude": place.longitude })),
        "invoice": {
            "number": invoice.number,
            "totalAmount": format!("{}.{:02}", invoice.total_cents() / 100, invoice.total_cents() % 100),
        },
        "person": {
            "lastName": person.last_name,
            "firstName": person.first_name,
            "birthDate": person.birth_date.to_string(),
            "address": person.address,
            "postCode": person.post_code,
            "city": person.city,
            "documentNumber": person.document_number,
        },
    });
    for (_, name, bytes) in &files {
        write(&folder.join(name), bytes)?;
    }
    write(&folder.join("specimens.json"), format!("{list:#}\n").as_bytes())?;
    Ok(list)
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
