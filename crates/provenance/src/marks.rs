//! Declarations outside of content credentials: the IPTC's digital source type, and what programs that make pictures
//! write next to them. Only what says so by itself counts: nothing is derived from how a picture looks.

use serde_json::Value;

use crate::{
    assertions::last_part,
    model::{Mark, MarkKind},
    text::one_line,
};

const MAX_MARKS: usize = 32;
/// The start of a longer text is enough, except for JSON, which is parsed as a whole up to this length.
const MAX_TEXT: usize = 1 << 20;

/// The texts of a file that can be declarations.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    texts: Vec<(&'static str, String, String)>,
}

impl Texts {
    /// Adds a text: where it is (`exif`, `xmp`, `png text` or `comment`), what it is called there, and the text.
    pub fn add(&mut self, origin: &'static str, name: &str, text: &str) {
        let end = text.floor_char_boundary(MAX_TEXT);
        self.texts.push((origin, name.to_owned(), text[..end].to_owned()));
    }
}

/// The declarations in `texts`, each program once for each place.
pub fn marks(texts: &Texts) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    for (origin, name, text) in &texts.texts {
        let Some((kind, program)) = declared(name, text) else { continue };
        let is_source = name == SOURCE_TYPE;
        let mark = Mark {
            kind,
            origin: if is_source { "iptc" } else { *origin }.to_owned(),
            program: program.map(str::to_owned),
            text: one_line(text).unwrap_or_default(),
        };
        let is_known =
            |known: &Mark| (known.kind, &known.origin, &known.program) == (mark.kind, &mark.origin, &mark.program);
        if marks.len() < MAX_MARKS && !marks.iter().any(is_known) {
            marks.push(mark);
        }
    }
    marks
}

/// The name of the IPTC's property, under which callers add it.
const SOURCE_TYPE: &str = "DigitalSourceType";

/// Programs that only make pictures by a trained model, as they name themselves in a field for the program.
const PROGRAMS: [(&str, &str); 11] = [
    ("midjourney", "Midjourney"),
    ("adobe firefly", "Adobe Firefly"),
    ("stable diffusion", "Stable Diffusion"),
    ("dall-e", "DALL-E"),
    ("dall·e", "DALL-E"),
    ("novelai", "NovelAI"),
    ("comfyui", "ComfyUI"),
    ("invokeai", "InvokeAI"),
    ("draw things", "Draw Things"),
    ("fooocus", "Fooocus"),
    ("bing image creator", "Bing Image Creator"),
];

/// Fields that name the program which made the file.
const PROGRAM_FIELDS: [&str; 5] = ["Software", "ProcessingSoftware", "CreatorTool", "Source", "Creator"];

type Declaration = (MarkKind, Option<&'static str>);

fn declared(name: &str, text: &str) -> Option<Declaration> {
    if name == SOURCE_TYPE {
        let kind = MarkKind::of_source_type(&last_part(text)?);
        return (kind != MarkKind::Other).then_some((kind, None));
    }
    by_program_field(name, text)
        .or_else(|| by_name(name, text))
        .or_else(|| by_settings(text))
        .or_else(|| by_sentence(name, text))
}

fn by_program_field(name: &str, text: &str) -> Option<Declaration> {
    if !PROGRAM_FIELDS.contains(&name) {
        return None;
    }
    let lower = text.to_lowercase();
    let known = PROGRAMS.iter().find(|(part, _)| lower.contains(part));
    // For example `AI generated;txt2img;flux`.
    known
        .map(|(_, program)| (MarkKind::Generated, Some(*program)))
        .or_else(|| lower.starts_with("ai generated").then_some((MarkKind::Generated, None)))
}

/// Texts whose name and form belong to one program.
fn by_name(name: &str, text: &str) -> Option<Declaration> {
    let generated = |program| Some((MarkKind::Generated, Some(program)));
    match name {
        "prompt" if is_node_graph(text) => generated("ComfyUI"),
        "workflow" if object(text).is_some_and(|workflow| workflow.get("nodes").is_some_and(Value::is_array)) => {
            generated("ComfyUI")
        }
        "invokeai_metadata" | "invokeai_graph" | "invokeai_workflow" | "sd-metadata" if object(text).is_some() => {
            generated("InvokeAI")
        }
        "Dream" if text.contains(" -s ") && text.contains(" -S ") => generated("InvokeAI"),
        "fooocus_scheme" => generated("Fooocus"),
        "AISystemUsed" if !text.trim().is_empty() => Some((MarkKind::PartlyGenerated, None)),
        // The Chinese standard GB 45438: 1 is made by a model, 2 may be, 3 is suspected to be.
        "AIGC" => match object(text)?.get("Label").and_then(Value::as_str)? {
            "1" => Some((MarkKind::Generated, None)),
            _ => None,
        },
        _ => None,
    }
}

/// The settings of a diffusion model, which programs write in several places.
fn by_settings(text: &str) -> Option<Declaration> {
    const WEB_UI: &str = "Stable Diffusion web UI";
    let generated = |program| Some((MarkKind::Generated, program));
    // Automatic1111, Forge and those that copy them: `Steps: 20, Sampler: Euler a, CFG scale: 7, Seed: 1, …`.
    if text.contains("Steps: ")
        && text.contains("Seed: ")
        && (text.contains("Sampler: ") || text.contains("CFG scale: "))
    {
        return generated(Some(WEB_UI));
    }
    if is_node_graph(text) {
        return generated(Some("ComfyUI"));
    }
    let settings = object(text)?;
    if settings.contains_key("sui_image_params") {
        return generated(Some("SwarmUI"));
    }
    let has = |names: &[&str]| names.iter().any(|name| settings.contains_key(*name));
    (has(&["seed"]) && has(&["steps"]) && has(&["sampler", "sampler_name", "scale"]))
        .then_some((MarkKind::Generated, None))
}

/// What programs and services write for people.
fn by_sentence(name: &str, text: &str) -> Option<Declaration> {
    const GOOGLE: &str = "Google AI";
    let start: String = text.chars().take(400).collect();
    let lower = start.to_lowercase();
    if name == "Credit" {
        if lower.contains("made with google ai") {
            return Some((MarkKind::Generated, Some(GOOGLE)));
        }
        if lower.contains("edited with google ai") {
            return Some((MarkKind::PartlyGenerated, Some(GOOGLE)));
        }
    }
    if matches!(name, "Title" | "Credit") && (lower.contains("ai generated") || lower.contains("ai-generated")) {
        return Some((MarkKind::Generated, None));
    }
    has_job_id(text).then_some((MarkKind::Generated, Some("Midjourney")))
}

/// `Job ID: ` and a UUID, as Midjourney ends its descriptions.
fn has_job_id(text: &str) -> bool {
    let Some((_, id)) = text.split_once("Job ID: ") else { return false };
    let id: Vec<char> = id.chars().take(36).collect();
    let is_right = |(at, c): (usize, &char)| match at {
        8 | 13 | 18 | 23 => *c == '-',
        _ => c.is_ascii_hexdigit(),
    };
    id.len() == 36 && id.iter().enumerate().all(is_right)
}

/// A graph of nodes with inputs, as `ComfyUI` runs it.
fn is_node_graph(text: &str) -> bool {
    let is_node = |node: &Value| node.get("class_type").is_some_and(Value::is_string) && node.get("inputs").is_some();
    object(text).is_some_and(|graph| !graph.is_empty() && graph.values().any(is_node))
}

fn object(text: &str) -> Option<serde_json::Map<String, Value>> {
    let text = text.trim();
    // ComfyUI writes NaN for inputs that have no value.
    let parse = |text: &str| serde_json::from_str(text).ok();
    text.starts_with('{').then(|| parse(text).or_else(|| parse(&text.replace("NaN", "null"))))?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(texts: &[(&'static str, &str, &str)]) -> Vec<(MarkKind, Option<String>)> {
        let mut all = Texts::default();
        for (origin, name, text) in texts {
            all.add(origin, name, text);
        }
        marks(&all).into_iter().map(|mark| (mark.kind, mark.program)).collect()
    }

    fn generated(program: &str) -> Vec<(MarkKind, Option<String>)> {
        vec![(MarkKind::Generated, Some(program.to_owned()))]
    }

    #[test]
    fn each_generator_is_known_by_its_own_mark() {
        let graph = r#"{"3": {"class_type": "KSampler", "inputs": {"seed": 1, "is_changed": [NaN]}}}"#;
        let settings = "a cat\nNegative prompt: dog\nSteps: 20, Sampler: Euler a, CFG scale: 7, Seed: 5, Size: 512x512";
        let job = "a cat --v 6.1 Job ID: 0f8fad5b-d9cb-469f-a165-70867728950e";
        for (name, text, program) in [
            ("prompt", graph, "ComfyUI"),
            ("workflow", r#"{"nodes": [], "links": []}"#, "ComfyUI"),
            ("parameters", settings, "Stable Diffusion web UI"),
            ("UserComment", settings, "Stable Diffusion web UI"),
            ("UserComment", graph, "ComfyUI"),
            ("invokeai_metadata", r#"{"model": {}}"#, "InvokeAI"),
            ("Dream", r#""a cat" -s 50 -S 1 -W 512"#, "InvokeAI"),
            ("fooocus_scheme", "a1111", "Fooocus"),
            ("Software", "NovelAI", "NovelAI"),
            ("parameters", r#"{"sui_image_params": {}}"#, "SwarmUI"),
            ("CreatorTool", "Draw Things", "Draw Things"),
            ("Description", job, "Midjourney"),
            ("Credit", "Made with Google AI", "Google AI"),
        ] {
            assert_eq!(kinds(&[("png text", name, text)]), generated(program), "{name}: {text}");
        }
        let flux = ("exif", "Software", "AI generated;txt2img;flux");
        let label = ("xmp", "AIGC", r#"{"Label": "1", "ContentProducer": "x"}"#);
        let json = ("exif", "UserComment", r#"{"seed": 1, "steps": 20, "sampler": "x", "c": "a cat"}"#);
        for text in [flux, label, json] {
            assert_eq!(kinds(&[text]), [(MarkKind::Generated, None)], "{text:?}");
        }
        assert_eq!(kinds(&[("xmp", "Credit", "Edited with Google AI")])[0].0, MarkKind::PartlyGenerated);
    }

    #[test]
    fn the_source_type_of_the_iptc_is_read_from_its_address() {
        let source = |text: &str| kinds(&[("xmp", "DigitalSourceType", text)]);
        let base = "http://cv.iptc.org/newscodes/digitalsourcetype/";
        assert_eq!(source(&format!("{base}trainedAlgorithmicMedia"))[0].0, MarkKind::Generated);
        assert_eq!(source(&format!("{base}compositeWithTrainedAlgorithmicMedia"))[0].0, MarkKind::PartlyGenerated);
        assert_eq!(source(&format!("{base}digitalCapture"))[0].0, MarkKind::Captured);
        assert_eq!(source("trainedAlgorithmicMedia")[0].0, MarkKind::Generated);
        assert!(source(&format!("{base}somethingNew")).is_empty());
    }

    #[test]
    fn texts_that_only_mention_these_things_are_not_marks() {
        for (name, text) in [
            ("Comment", "Steps: 1. Open the door. Seed: sunflower"),
            ("Description", "A photo of a Midjourney poster, Job ID: 17"),
            ("prompt", "Say cheese"),
            ("prompt", "{}"),
            ("workflow", "{\"steps\": 3}"),
            ("Software", "Adobe Photoshop 25.0"),
            ("Software", "HDR+ 1.0.585804376zd"),
            ("Title", "How AI generates pictures"),
            ("Credit", "Jane Doe"),
            ("AIGC", r#"{"Label": "3"}"#),
            ("AISystemUsed", " "),
        ] {
            assert!(kinds(&[("png text", name, text)]).is_empty(), "{name}: {text}");
        }
    }

    #[test]
    fn one_program_is_reported_once_for_each_place() {
        let settings = "Steps: 20, Sampler: Euler a, Seed: 5";
        let found = kinds(&[
            ("png text", "parameters", settings),
            ("png text", "postprocessing", settings),
            ("exif", "UserComment", settings),
        ]);
        assert_eq!(found.len(), 2);
    }
}
