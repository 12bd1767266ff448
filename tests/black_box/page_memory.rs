//! The memory of the page stays flat over many photos: it keeps no picture, no element and no listener of a photo that it
//! does not show (decisions 16).

use std::{collections::BTreeMap, fs};

use rustix::process::Pid;
use serde_json::json;

use crate::{
    capture_page::{create, items},
    support::{
        AMPLE, Database, TestServer,
        browser::{self, Browser},
        company_manifest::{PHOTOGRAPHY, acme_on},
        eventually, setting,
    },
};

/// After this many photos everything that the page needs has been loaded, and every cache is filled.
const FIRST: u64 = 20;
/// What the page may keep of each photo, in bytes: what it knows about the photo, and nothing that it has shown.
const HEAP_OF_A_PHOTO: f64 = 20_000.0;
const NODES_OF_A_PHOTO: f64 = 2.0;
const LISTENERS_OF_A_PHOTO: f64 = 0.5;
/// What the processes of the page may grow by for each photo. One decoded photo of 3 megapixels has 12 MB.
const PROCESS_OF_A_PHOTO: f64 = 2_000_000.0;
/// How often the memory is measured before the page is said to keep too much.
const MOST_TRIES: u32 = 10;

/// What the page uses. Sizes are in bytes.
#[derive(Debug)]
struct Memory {
    heap: f64,
    nodes: f64,
    listeners: f64,
    /// The proportional set size of all processes that run pages.
    process: f64,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_memory_of_the_page_stays_flat_over_many_photos() {
    if !browser::is_there() {
        return;
    }
    let count = setting("SEALWRIGHT_TEST_PHOTOS", 50).max(FIRST + 1);
    let server = TestServer::start(Database::Sqlite).await;
    let (api, _receiver) = acme_on(&server).await;
    let (link, url) = create(&api).await;
    let browser = Browser::start().await;
    browser.control("Performance.enable", json!({})).await;
    browser.open(&url).await;
    browser.wait_for("#go-on").await;
    browser.run_async(DRAW, json!([])).await;
    let (mut early, mut tries) = (None, 0);
    for number in 1..=count {
        // Half of them with the live camera, half as large files.
        let place = format!("#step-{PHOTOGRAPHY}");
        browser.run("location.hash = arguments[0]", json!([place])).await;
        browser.wait_for("#system-camera").await;
        if number % 2 == 0 {
            browser.run(CHOOSE, json!([])).await;
        } else {
            click(&browser, "#camera").await;
            click(&browser, "#shutter:enabled").await;
        }
        click(&browser, "#keep:enabled").await;
        browser.wait_for(&format!(".given li:nth-child({number})")).await;
        if number == FIRST {
            early = Some(memory(&browser).await);
        }
    }
    eventually("all photos arrive", AMPLE, async || (items(&link).await.len() as u64 == count).then_some(())).await;
    let early = early.expect("more photos than the first");
    // What is garbage now may be collected later. What the page keeps is not.
    let (late, problem) = eventually("the page is measured", 2 * AMPLE, async || {
        let late = memory(&browser).await;
        let problem = growth(&early, &late, f64::from(u32::try_from(count - FIRST).expect("few photos")));
        tries += 1;
        (problem.is_empty() || tries == MOST_TRIES).then_some((late, problem))
    })
    .await;
    println!("after {FIRST} photos {early:?}, after {count} photos {late:?}, measured {tries} times");
    assert_eq!(problem, "");
}

/// What grows by more than it may with each photo; empty if nothing does.
fn growth(early: &Memory, late: &Memory, photos: f64) -> String {
    let parts = [
        ("the heap of the scripts", early.heap, late.heap, HEAP_OF_A_PHOTO),
        ("the number of nodes", early.nodes, late.nodes, NODES_OF_A_PHOTO),
        ("the number of listeners", early.listeners, late.listeners, LISTENERS_OF_A_PHOTO),
        ("the memory of the process", early.process, late.process, PROCESS_OF_A_PHOTO),
    ];
    let grown = parts.into_iter().filter(|(_, before, after, limit)| (after - before) / photos > *limit);
    let lines: Vec<String> =
        grown.map(|(what, before, after, _)| format!("{what} grew from {before} to {after}")).collect();
    lines.join("\n")
}

/// A photo of 3 megapixels, as the system camera gives it.
const DRAW: &str = "
    const done = arguments[0];
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [2000, 1500];
    const pen = canvas.getContext('2d');
    for (let at = 0; at < 20000; at += 1) {
        pen.fillStyle = `hsl(${(at * 47) % 360} 60% ${(at * 13) % 100}%)`;
        pen.fillRect((at * 7919) % 2000, (at * 104729) % 1500, at % 61, at % 53);
    }
    canvas.toBlob((blob) => {
        window.largePhoto = new File([blob], 'front.jpg', { type: 'image/jpeg' });
        done(blob.size);
    }, 'image/jpeg', 0.8);";

const CHOOSE: &str = "
    const field = document.querySelector('#system-camera');
    const files = new DataTransfer();
    files.items.add(window.largePhoto);
    field.files = files.files;
    field.dispatchEvent(new Event('change'));";

/// The driver keeps every element that it has looked for, with the screen around it, so a script clicks here.
async fn click(browser: &Browser, selector: &str) {
    let script = "const found = document.querySelector(arguments[0]); found?.click(); return found !== null;";
    browser
        .soon(&format!("{selector} can be clicked"), async || {
            (browser.run(script, json!([selector])).await == json!(true)).then_some(())
        })
        .await;
}

/// On the list of the steps, after the garbage is collected.
async fn memory(browser: &Browser) -> Memory {
    browser.run("location.hash = ''", json!([])).await;
    browser.wait_for(".tray .done").await;
    // The first one makes finalizers run, and these make more garbage.
    for _ in 0..2 {
        browser.control("HeapProfiler.collectGarbage", json!({})).await;
    }
    let answer = browser.control("Performance.getMetrics", json!({})).await;
    let metrics: BTreeMap<String, f64> = answer["metrics"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|metric| Some((metric["name"].as_str()?.to_owned(), metric["value"].as_f64()?)))
        .collect();
    Memory {
        heap: metrics["JSHeapUsedSize"],
        nodes: metrics["Nodes"],
        listeners: metrics["JSEventListeners"],
        process: renderers(browser.pid()).into_iter().map(proportional_set_size).sum(),
    }
}

/// The processes below a browser that run pages.
fn renderers(browser: Pid) -> Vec<i32> {
    let processes = fs::read_dir("/proc").expect("Linux lists processes").filter_map(Result::ok);
    let mut parents = BTreeMap::new();
    for process in processes {
        let Some(id) = process.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
        let Ok(stat) = fs::read_to_string(process.path().join("stat")) else { continue };
        // The name of the program is in brackets, and may contain anything.
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse::<i32>().ok());
        parents.extend(parent.map(|parent| (id, parent)));
    }
    let is_below = |mut id: i32| {
        while let Some(parent) = parents.get(&id) {
            if *parent == browser.as_raw_nonzero().get() {
                return true;
            }
            id = *parent;
        }
        false
    };
    let runs_pages = |id: &i32| {
        let arguments = fs::read_to_string(format!("/proc/{id}/cmdline")).unwrap_or_default();
        arguments.contains("--type=renderer")
    };
    parents.keys().copied().filter(|id| is_below(*id)).filter(runs_pages).collect()
}

/// The memory of a process, with its share of what it has in common with others (proc(5), `smaps_rollup`), in bytes.
fn proportional_set_size(process: i32) -> f64 {
    let text = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).unwrap_or_default();
    let size = text.lines().find_map(|line| line.strip_prefix("Pss:")?.trim().strip_suffix(" kB")?.parse().ok());
    1024.0 * size.unwrap_or(0.0)
}
