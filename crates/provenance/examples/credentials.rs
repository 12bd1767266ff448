//! Prints the content credentials of JPEG and PNG files, one line of JSON for each:
//! `cargo run -p sealwright-provenance --example credentials -- [--trust ROOTS.pem] FILE…`

use std::{env, fs};

use sealwright_provenance::{Container, Metadata, TrustList, credentials};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut paths: Vec<String> = env::args().skip(1).collect();
    let mut trust = TrustList::default();
    if paths.first().is_some_and(|first| first == "--trust") && paths.len() > 1 {
        trust = TrustList::from_pem(&fs::read_to_string(&paths[1])?)?;
        paths.drain(..2);
    }
    for path in paths {
        let file = fs::read(&path)?;
        let container = if file.starts_with(b"\xFF\xD8") { Container::Jpeg } else { Container::Png };
        let store = container.store(&file);
        let found = store.map(|store| credentials(&file, container, &store, Metadata::Present, &trust));
        println!("{}", serde_json::json!({ "file": path, "credentials": found }));
    }
    Ok(())
}
