//! Prints the codes and attached files of documents, a JSON object a line, for a comparison with other decoders:
//! `cargo run --release -p sealwright-facts --example codes -- CERTIFICATES FILE…` (`-` for no certificates).

use std::{env, fs, path::Path, time::Instant};

use sealwright_facts::{
    Limits, Recognition, prepare,
    signed_code::{SignedCode, trust::TrustList},
};
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = env::args().skip(1);
    let certificates = arguments.next().ok_or("give the folder of the certificates, or `-`")?;
    let trust = if certificates == "-" { None } else { Some(TrustList::read(Path::new(&certificates))?) };
    if let Some(trust) = &trust {
        eprintln!("{} certificates", trust.len());
        trust.rejected.iter().for_each(|reason| eprintln!("rejected: {reason}"));
    }
    for path in arguments {
        let file = fs::read(&path)?;
        let start = Instant::now();
        let facts = prepare(&file, &Limits::default(), &Recognition::Unavailable);
        let millis = start.elapsed().as_millis();
        let checked = |code: &SignedCode| {
            let state = trust.as_ref().map_or(code.state, |trust| trust.check(code));
            SignedCode { state, ..code.clone() }
        };
        let codes: Vec<SignedCode> = facts.signed_codes.iter().map(checked).collect();
        let attached = facts.pdf.iter().flat_map(|pdf| &pdf.embedded_files).map(|file| {
            let bytes = file.content.as_ref().map(|content| content.0.len());
            json!({ "name": file.name, "mediaType": file.media_type, "relationship": file.relationship, "bytes": bytes })
        });
        let kinds: Vec<&str> = facts.barcodes.iter().map(|code| code.kind.as_str()).collect();
        let attached: Vec<_> = attached.collect();
        println!("{}", json!({ "file": path, "millis": millis, "kinds": kinds, "codes": codes, "attached": attached }));
    }
    Ok(())
}
