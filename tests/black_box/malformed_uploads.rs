//! Malformed files: cut off, damaged, of two kinds at once, far larger when unpacked, or in invalid forms. The server
//! answers each with a status of the specification and stays unchanged.
//!
//! `SEALWRIGHT_TEST_MALFORMED` and `SEALWRIGHT_TEST_SEED` set how many files are sent to each server, and which.

use std::{fs, time::Duration};

use miniz_oxide::deflate::compress_to_vec_zlib;
use serde_json::json;

use crate::support::{
    AMPLE, Api, TestServer,
    client::Upload,
    company_manifest::{DOCUMENT_UPLOAD, FRAME, PHOTOGRAPHY, SIGNATURE, VIDEO, acme_on},
    eventually,
    evidence::{add_capture, add_document, close, create_item, identity_card, open_case, photo, signature, video},
    on_both_databases,
    random::Random,
    setting,
};

on_both_databases!(malformed_files_are_answered_and_change_nothing);

const MIB: usize = 1 << 20;
/// The most memory that the server may gain, and the most processor time that a file may take.
const MOST_GROWTH: u64 = 64 << 20;
const MOST_PROCESSOR_TIME: Duration = Duration::from_secs(2);
/// A new case is opened after this many files, so that no limit on items is reached.
const FILES_OF_A_CASE: u64 = 40;

async fn malformed_files_are_answered_and_change_nothing(server: TestServer) {
    let count = setting("SEALWRIGHT_TEST_MALFORMED", 48);
    // What is refused does not depend on the database, so each gets other files.
    let of_database = u64::from(server.database_url().starts_with("postgres"));
    let mut random = Random::new(setting("SEALWRIGHT_TEST_SEED", 20_261_120) + of_database);
    let (api, _receiver) = acme_on(&server).await;
    let mut case = open_case(&api, &json!({ "frameId": FRAME })).await;
    // By now everything that is loaded only once has been loaded.
    for _ in 0..4 {
        add_document(&api, case, DOCUMENT_UPLOAD, identity_card()).await.expect(200);
        add_capture(&api, case, PHOTOGRAPHY, photo(1)).await.expect(200);
        add_capture(&api, case, SIGNATURE, large(&signature().bytes, 25 * MIB)).await.expect(200);
    }
    certificate(&api, case).await;
    let process = Process(server.pid());
    let (before, mut peak, mut slowest) = (process.memory(), 0, Duration::ZERO);
    for number in 0..count {
        if number % FILES_OF_A_CASE == 0 {
            case = open_case(&api, &json!({ "frameId": FRAME })).await;
        }
        let start = process.processor_time();
        let what = upload(&api, case, number, &mut random).await;
        let used = process.processor_time().saturating_sub(start);
        assert!(used <= MOST_PROCESSOR_TIME, "{what}: {used:?} of a processor");
        slowest = slowest.max(used);
        peak = peak.max(process.memory());
    }
    let growth = peak.saturating_sub(before);
    println!("{count} files, {} MiB more memory at most, {slowest:?} of a processor at most", growth >> 20);
    assert!(growth <= MOST_GROWTH, "the server gained {} MiB of memory", growth >> 20);
    assert!(!server.log().contains("panicked"), "something panicked");
    api.get("/frames").await.expect(200);
    // Accepted files are sealed like any other evidence.
    certificate(&api, case).await;
    assert_eq!(process.0, server.pid(), "it is the same process");
}

/// Closes the case and waits for its certificate.
async fn certificate(api: &Api, case: i64) {
    let closed = close(api, case).await.expect(200).json();
    let url = closed["pdfUrl"].as_str().unwrap().to_owned();
    eventually("the case is sealed", AMPLE, async || {
        (api.with_token(None).get(&url).await.status == 200).then_some(())
    })
    .await;
}

/// Sends one file and checks the answer. Returns a description of the file.
async fn upload(api: &Api, case: i64, number: u64, random: &mut Random) -> String {
    if number % 16 == 15 {
        return spoilt_form(api, case, random).await;
    }
    let (what, bytes) = malformed(number, random);
    let name = random.of(&["front.jpg", "card.pdf", "rooms.mp4", "signature.png", "../../x", ""]);
    let media_type = random.of(&["image/jpeg", "application/pdf", "video/mp4", "text/html"]);
    let file = Upload { bytes, name, media_type };
    let step = random.of(&[DOCUMENT_UPLOAD, PHOTOGRAPHY, SIGNATURE, VIDEO]);
    let answer = if step == DOCUMENT_UPLOAD {
        add_document(api, case, step, file).await
    } else {
        add_capture(api, case, step, file).await
    };
    let what = format!("file {number}, {what}, at step {step}");
    assert!([200, 400].contains(&answer.status.as_u16()), "{what}: {} {}", answer.status, answer.text());
    if answer.status == 400 {
        answer.error_message();
    } else {
        // Serving it must not cause a server error either.
        let item = answer.json();
        let urls = ["imageUrl", "documentUrl", "videoUrl"].map(|field| item[field].as_str());
        for url in urls.into_iter().flatten() {
            let shown = api.with_token(None).get(url).await;
            assert!(shown.status.as_u16() < 500, "{what}, shown: {} {}", shown.status, shown.text());
        }
    }
    what
}

fn malformed(number: u64, random: &mut Random) -> (&'static str, Vec<u8>) {
    let seeds = [identity_card().bytes, photo(1).bytes, signature().bytes, video().bytes];
    let seed = &seeds[random.index(seeds.len())];
    match number % 12 {
        0 => ("cut off", seed[..random.index(seed.len())].to_vec()),
        1 => ("cut off in its head", seed[..random.index(64)].to_vec()),
        2..=5 => ("damaged", damaged(seed, random)),
        6 => ("of two kinds", [&seed[..], &seeds[random.index(seeds.len())]].concat()),
        7 => ("the head of one kind and the body of another", {
            let head = &seeds[random.index(seeds.len())];
            [&head[..random.index(48)], &seed[random.index(48)..]].concat()
        }),
        8 => ("a picture of very many pixels", pixel_flood(random)),
        9 => ("a document that inflates", inflating_pdf(random)),
        10 => ("a picture that inflates", inflating_png(random)),
        _ => match random.index(3) {
            0 => ("one byte too large for a document", large(&identity_card().bytes, 10 * MIB + 1).bytes),
            1 => ("one byte too large for a capture", large(&signature().bytes, 25 * MIB + 1).bytes),
            _ => ("noise", (0..random.index(4096)).map(|_| random.byte()).collect()),
        },
    }
}

fn damaged(seed: &[u8], random: &mut Random) -> Vec<u8> {
    let mut file = seed.to_vec();
    for _ in 0..=random.index(8) {
        let at = random.index(file.len());
        match random.index(4) {
            0 => file[at] = random.byte(),
            // The first kilobyte contains the sizes and offsets that a reader trusts.
            1 => {
                let at = at.min(1023).min(seed.len() - 1) % file.len().max(1);
                file[at] = 0xff;
            }
            2 => {
                let end = (at + random.index(64)).min(file.len());
                file.drain(at..end);
            }
            _ => drop(file.splice(at..at, b"9999999999 0 R << /Length -1".to_vec())),
        }
        if file.is_empty() {
            file.push(b'%');
        }
    }
    file
}

fn large(start: &[u8], length: usize) -> Upload {
    let mut bytes = start.to_vec();
    bytes.resize(length, b' ');
    Upload { bytes, name: "large", media_type: "application/octet-stream" }
}

/// A PNG or JPEG whose header claims up to 65,535 × 65,535 pixels.
fn pixel_flood(random: &mut Random) -> Vec<u8> {
    let side = [16_384, 32_768, 65_535][random.index(3)];
    if random.index(2) == 0 {
        return png(side, side, &compress_to_vec_zlib(&vec![0; 4096], 9));
    }
    let mut jpeg = photo(1).bytes;
    let frame = jpeg.windows(2).position(|pair| pair == [0xff, 0xc0]).expect("a baseline frame");
    let [high, low] = u16::try_from(side).expect("16 bits").to_be_bytes();
    jpeg[frame + 5..frame + 9].copy_from_slice(&[high, low, high, low]);
    jpeg
}

/// A PNG whose pixels take a thousand times as much memory as the file.
fn inflating_png(random: &mut Random) -> Vec<u8> {
    let side = 1000 + u32::try_from(random.index(3000)).expect("a small number");
    let row = usize::try_from(side).expect("a small number") * 3 + 1;
    png(side, side, &compress_to_vec_zlib(&vec![0; row * usize::try_from(side).expect("a small number")], 9))
}

fn png(width: u32, height: u32, pixels: &[u8]) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let head = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    for (kind, content) in [(b"IHDR", &head[..]), (b"IDAT", pixels), (b"IEND", &[])] {
        let named = [&kind[..], content].concat();
        file.extend(u32::try_from(content.len()).expect("a small part").to_be_bytes());
        file.extend(&named);
        file.extend(crc32fast::hash(&named).to_be_bytes());
    }
    file
}

/// A PDF page with megabytes of repeated operators, compressed once or twice.
fn inflating_pdf(random: &mut Random) -> Vec<u8> {
    let content = b"q 0 0 9 9 re f Q\n".repeat(100_000 * (1 + random.index(10)));
    let (mut packed, mut filters) = (compress_to_vec_zlib(&content, 9), "/FlateDecode".to_owned());
    if random.index(2) == 0 {
        packed = compress_to_vec_zlib(&packed, 9);
        filters.push_str("/FlateDecode");
    }
    let mut file = format!(
        "%PDF-1.7\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj\n\
         3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>> endobj\n\
         4 0 obj <</Length {}/Filter[{filters}]>> stream\n",
        packed.len()
    )
    .into_bytes();
    file.extend(packed);
    file.extend(b"\nendstream endobj\ntrailer <</Root 1 0 R>>\n%%EOF");
    file
}

/// A multipart form that breaks the rules.
async fn spoilt_form(api: &Api, case: i64, random: &mut Random) -> String {
    let description = create_item(DOCUMENT_UPLOAD, "card.pdf").to_string();
    let part = |name: &str, content: &str| {
        format!("--b\r\ncontent-disposition: form-data; name=\"{name}\"; filename=\"x\"\r\n\r\n{content}\r\n")
    };
    let (file, text) = (part("file", "%PDF-1.7 a file"), part("createItemDto", &description));
    let body = match random.index(8) {
        0 => format!("{text}{file}{file}--b--\r\n"),
        1 => format!("{text}{text}{file}--b--\r\n"),
        2 => format!("{text}{file}"),
        3 => format!("{}{file}--b--\r\n", part("createItemDto", &"[".repeat(random.index(100_000)))),
        4 => format!("{text}{}--b--\r\n", part(&"x".repeat(random.index(10_000)), "y")),
        5 => "--b\r\n\r\n".repeat(random.index(5_000)),
        6 => format!("{text}{}", file.replace("\r\n", "\n")),
        _ => (0..random.index(4096)).map(|_| char::from(random.byte() % 128)).collect(),
    };
    let what =
        format!("a form of {} bytes that starts with {:?}", body.len(), body.chars().take(60).collect::<String>());
    let path = format!("/v2/items/{case}/document");
    let answer = api.post_raw(&path, "multipart/form-data; boundary=b", body).await;
    assert_eq!(answer.status, 400, "{what}: {}", answer.text());
    answer.error_message();
    what
}

/// The server's process, as the system sees it.
struct Process(u32);

impl Process {
    /// Its current memory in bytes.
    fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0)).expect("the server runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a process has memory");
        line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") * 1024
    }

    /// The processor time it has used, without its children: those that read files have their own limits.
    fn processor_time(&self) -> Duration {
        const TICKS_PER_SECOND: u64 = 100;
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.0)).expect("the server runs");
        let fields = stat.rsplit_once(')').expect("a name in brackets").1.split_ascii_whitespace();
        // The fields 14 and 15 of proc(5), counted from the third one.
        let ticks: u64 = fields.skip(11).take(2).map(|field| field.parse::<u64>().expect("a number")).sum();
        Duration::from_millis(ticks * 1000 / TICKS_PER_SECOND)
    }
}
