//! Pictures: what a file says about itself, and what was measured of its pixels.

use sealwright_facts::{
    image::{
        CompressionFacts, Exif, GridFacts, HistoryFacts, ImageFacts, JpegFacts, Moment, OddPart, PixelFacts,
        RecaptureFacts,
    },
    model::Area,
    xmp::Xmp,
};
use sealwright_plugin_sdk::facts::{
    Capture, EditorTrace, Encoding, Image, Measure, Position, Property, PropertySource, Rectangle, Segment,
};

use super::{
    parts::{cut, millis, property, rectangle},
    provenance,
};

const SEGMENTS: usize = 200;
const TRACES: usize = 100;

/// A picture that is a separate file. `content` is none if its bytes are not at hand.
pub fn of_file<C>(facts: &ImageFacts, content: Option<C>) -> Image<C> {
    let (jpeg, png) = (facts.jpeg.as_ref(), facts.png.as_ref());
    let mut measures = jpeg.map(measures_of_jpeg).unwrap_or_default();
    measures.extend(png.map(|png| measure("bytes-behind", 0, png.bytes_behind_end)));
    if let Some(pixels) = &facts.pixels {
        measures_of_pixels(pixels, facts, &mut measures);
    }
    let mut properties: Vec<Property> = facts.exif.as_ref().map(properties_of_exif).unwrap_or_default();
    properties.extend(facts.xmp.iter().flat_map(properties_of_xmp));
    if let Some(comment) = jpeg.and_then(|jpeg| jpeg.comment.as_deref()) {
        properties.push(property(PropertySource::Comment, "Comment", comment, None));
    }
    if let Some(png) = png {
        properties.extend(png.texts.iter().map(|(name, text)| property(PropertySource::Comment, name, text, None)));
        properties.extend(png.modified.iter().map(|time| property(PropertySource::Other, "tIME", time, None)));
    }
    let traces = facts.editors.iter().take(TRACES).map(|trace| EditorTrace {
        program: cut(&trace.program),
        origin: trace.place.clone(),
        text: cut(&trace.text),
    });
    let chunks = png.iter().flat_map(|png| &png.chunks);
    let chunks = chunks.map(|name| Segment { name: name.clone(), label: None, length: 0 });
    let segments = jpeg.map(segments_of_jpeg).unwrap_or_default().into_iter().chain(chunks);
    Image {
        encoding: Some(Encoding {
            format: if jpeg.is_some() { "jpeg" } else { "png" }.to_owned(),
            width: facts.width,
            height: facts.height,
            channels: jpeg.map_or_else(|| png.map_or(0, |png| channels(png.colour_type)), |jpeg| jpeg.components),
            bits: png.map_or(8, |png| png.bit_depth),
        }),
        content,
        properties,
        capture: facts.exif.as_ref().and_then(capture),
        measures,
        editor_traces: traces.collect(),
        segments: segments.take(SEGMENTS).collect(),
        overview: None,
        detail: None,
        provenance: facts.provenance.as_ref().map(provenance::provenance),
    }
}

/// By the PNG standard's table 8.
const fn channels(colour_type: u8) -> u8 {
    match colour_type {
        0 => 1,
        4 => 2,
        2 | 3 => 3,
        6 => 4,
        _ => 0,
    }
}

fn measure(name: &str, at: u32, value: impl Into<i128>) -> Measure {
    let value = value.into();
    let value = i64::try_from(value).unwrap_or(if value < 0 { i64::MIN } else { i64::MAX });
    Measure { name: name.to_owned(), at, value, area: None }
}

/// One measure for each value of a list, numbered from 0.
fn numbered<'a>(name: &'a str, values: &'a [u32]) -> impl Iterator<Item = Measure> + 'a {
    (0..).zip(values).map(move |(at, value)| measure(name, at, *value))
}

pub(super) fn measures_of_jpeg(jpeg: &JpegFacts) -> Vec<Measure> {
    let mut measures = vec![
        measure("jpeg-progressive", 0, u8::from(jpeg.progressive)),
        measure("jpeg-sampling-horizontal", 0, jpeg.sampling.0),
        measure("jpeg-sampling-vertical", 0, jpeg.sampling.1),
        measure("bytes-behind", 0, jpeg.bytes_behind_end),
    ];
    if let Some(quality) = jpeg.quality {
        measures.push(measure("jpeg-quality", 0, quality));
        measures.push(measure("jpeg-quality-distance", 0, jpeg.quality_distance));
    }
    for table in &jpeg.quantisation {
        let name = format!("jpeg-table-{}", table.number);
        measures.extend((0..).zip(&table.values).map(|(at, value)| measure(&name, at, *value)));
    }
    measures
}

pub(super) fn segments_of_jpeg(jpeg: &JpegFacts) -> Vec<Segment> {
    let segment = |segment: &sealwright_facts::image::Segment| Segment {
        name: segment.marker.clone(),
        label: segment.label.as_deref().map(cut),
        length: segment.length,
    };
    jpeg.segments.iter().take(SEGMENTS).map(segment).collect()
}

fn measures_of_pixels(pixels: &PixelFacts, facts: &ImageFacts, measures: &mut Vec<Measure>) {
    let RecaptureFacts { peaks, patterns, high_frequency_energy, specular, brightness_range, saturation } =
        &pixels.recapture;
    for (name, value) in [
        ("brightness", pixels.mean_brightness),
        ("contrast", pixels.contrast),
        ("blown-out", pixels.blown_out),
        ("black", pixels.black),
        ("sharpness", pixels.sharpness),
        ("saturation", *saturation),
        ("brightness-range", *brightness_range),
        ("specular", *specular),
        ("high-frequency-energy", *high_frequency_energy),
    ] {
        measures.push(measure(name, 0, value));
    }
    for (at, peak) in (0..).zip(peaks) {
        measures.push(measure("spectrum-peak", at, peak.strength));
        measures.push(measure("spectrum-peak-horizontal", at, peak.horizontal));
        measures.push(measure("spectrum-peak-vertical", at, peak.vertical));
    }
    for (at, pattern) in (0..).zip(patterns) {
        measures.push(measure("pattern", at, pattern.prominence));
        measures.push(measure("pattern-horizontal", at, pattern.horizontal));
        measures.push(measure("pattern-vertical", at, pattern.vertical));
        measures.push(measure("pattern-colour", at, pattern.colour));
    }
    if let Some(distance) = pixels.thumbnail_distance {
        measures.push(measure("thumbnail-distance", 0, distance));
        if pixels.thumbnail_turn != 0 {
            measures.push(measure("thumbnail-turn", 0, pixels.thumbnail_turn));
        }
    }
    if let Some(compression) = &pixels.compression {
        measures_of_compression(compression, facts, measures);
    }
    measures_of_grids(&pixels.grids, measures);
    if let Some(copied) = &pixels.copied {
        for (at, part) in [(0, copied.part), (1, copied.other)] {
            let area = area_of((part.left, part.top), (part.width, part.height));
            measures.push(Measure { area: Some(area), ..measure("copied-part", at, copied.evidence) });
        }
    }
}

fn measures_of_grids(grids: &GridFacts, measures: &mut Vec<Measure>) {
    let main = grids.main.iter().map(|part| ("earlier-grid", 0, part));
    let parts = (0..).zip(&grids.parts).map(|(at, part)| ("odd-grid-part", at, part));
    for (name, at, part) in main.chain(parts) {
        let area = area_of((part.left, part.top), (part.width, part.height));
        measures.push(Measure { area: Some(area), ..measure(name, at, part.evidence) });
        measures.push(measure(&format!("{name}-horizontal"), at, part.horizontal));
        measures.push(measure(&format!("{name}-vertical"), at, part.vertical));
    }
}

fn measures_of_compression(compression: &CompressionFacts, facts: &ImageFacts, measures: &mut Vec<Measure>) {
    measures.extend(numbered("histogram-periodicity", &compression.histogram_periodicity));
    measures.extend(numbered("grid-horizontal", &compression.grid_horizontal));
    measures.extend(numbered("grid-vertical", &compression.grid_vertical));
    measures.extend(compression.ghosts.iter().map(|(quality, change)| measure("ghost", (*quality).into(), *change)));
    if let Some(history) = &compression.history {
        measures_of_history(history, measures);
    }
    let levels = &compression.error_level;
    if levels.columns == 0 {
        return;
    }
    measures.push(measure("error-level-median", 0, levels.median));
    measures.push(measure("error-level-high", 0, levels.high));
    for (at, value) in (0_u32..).zip(&levels.values) {
        let area = region(at, levels.columns, levels.region, facts);
        measures.push(Measure { area: Some(rectangle(area)), ..measure("error-level", at, *value) });
    }
}

fn measures_of_history(history: &HistoryFacts, measures: &mut Vec<Measure>) {
    measures.push(measure("earlier-compression", 0, history.gain));
    measures.push(measure("earlier-table", 0, history.table_gain));
    for (place, step) in &history.earlier_steps {
        measures.push(measure("earlier-compression-step", (*place).into(), *step));
    }
    measures_of_parts("odd-part", &history.odd_parts, measures);
    measures_of_parts("combless-part", &history.combless_parts, measures);
}

fn measures_of_parts(name: &str, parts: &[OddPart], measures: &mut Vec<Measure>) {
    for (at, part) in (0..).zip(parts) {
        let area = area_of((part.left, part.top), (part.width, part.height));
        measures.push(Measure { area: Some(area), ..measure(name, at, part.strength) });
    }
}

/// A part of a picture, by its corner and its size in pixels.
fn area_of((left, top): (u32, u32), (width, height): (u32, u32)) -> Rectangle {
    let edge = |pixels: u32| i32::try_from(u64::from(pixels) * 100).unwrap_or(i32::MAX);
    rectangle(Area {
        left: edge(left),
        top: edge(top),
        right: edge(left.saturating_add(width)),
        bottom: edge(top.saturating_add(height)),
    })
}

/// The `at`th of the square regions that cover the picture row by row.
fn region(at: u32, columns: u32, side: u32, facts: &ImageFacts) -> Area {
    let (column, row) = (at % columns.max(1), at / columns.max(1));
    let edge = |number: u32, most: u32| {
        let pixels = u64::from(number) * u64::from(side);
        i32::try_from(pixels.min(most.into()) * 100).unwrap_or(i32::MAX)
    };
    Area {
        left: edge(column, facts.width),
        top: edge(row, facts.height),
        right: edge(column + 1, facts.width),
        bottom: edge(row + 1, facts.height),
    }
}

fn capture(exif: &Exif) -> Option<Capture> {
    let moment = exif.captured.as_ref().or(exif.digitised.as_ref());
    let capture = Capture {
        time: moment.and_then(time),
        time_has_offset: moment.is_some_and(|moment| moment.offset.is_some()),
        position: exif.position.map(|position| Position {
            latitude: position.latitude,
            longitude: position.longitude,
            accuracy: position.accuracy,
        }),
        make: exif.camera_make.as_deref().map(cut),
        model: exif.camera_model.as_deref().map(cut),
        software: exif.software.as_deref().map(cut),
    };
    let says_nothing = capture.time.is_none()
        && capture.position.is_none()
        && capture.make.is_none()
        && capture.model.is_none()
        && capture.software.is_none();
    (!says_nothing).then_some(capture)
}

fn time(moment: &Moment) -> Option<i64> {
    let local = moment.local.as_deref()?;
    let fraction = moment.fraction.as_deref().map(|digits| format!(".{digits}")).unwrap_or_default();
    let offset = moment.offset.as_deref().unwrap_or("Z");
    millis(&format!("{local}{fraction}{offset}")).or_else(|| millis(&format!("{local}{offset}")))
}

fn properties_of_exif(exif: &Exif) -> Vec<Property> {
    let text = |name: &str, value: &Option<String>| {
        value.as_deref().map(|value| property(PropertySource::Exif, name, value, None))
    };
    let number = |name: &str, value: Option<u32>| {
        value.map(|value| property(PropertySource::Exif, name, &value.to_string(), None))
    };
    let moment = |name: &str, value: &Option<Moment>| {
        let value = value.as_ref()?;
        Some(Property { time: time(value), ..property(PropertySource::Exif, name, &value.written, None) })
    };
    [
        number("Orientation", exif.orientation.map(u32::from)),
        text("Make", &exif.camera_make),
        text("Model", &exif.camera_model),
        text("LensModel", &exif.lens_model),
        text("BodySerialNumber", &exif.serial_number),
        text("Software", &exif.software),
        text("ProcessingSoftware", &exif.processing_software),
        text("Artist", &exif.artist),
        moment("DateTimeOriginal", &exif.captured),
        moment("DateTimeDigitized", &exif.digitised),
        moment("DateTime", &exif.modified),
        exif.gps_time.as_deref().map(|value| Property {
            time: millis(value),
            ..property(PropertySource::Exif, "GPSTimeStamp", value, None)
        }),
        number("PixelXDimension", exif.pixel_width),
        number("PixelYDimension", exif.pixel_height),
        number("MakerNote", exif.maker_note_bytes),
        number("JPEGInterchangeFormatLength", exif.thumbnail_bytes),
    ]
    .into_iter()
    .flatten()
    .collect()
}

pub(super) fn properties_of_xmp(xmp: &Xmp) -> Vec<Property> {
    let text = |name: &str, value: &Option<String>| {
        value.as_deref().map(|value| property(PropertySource::Xmp, name, value, None))
    };
    let mut properties: Vec<Property> = [
        text("pdf:Producer", &xmp.producer),
        text("xmp:CreatorTool", &xmp.creator_tool),
        text("xmp:CreateDate", &xmp.created),
        text("xmp:ModifyDate", &xmp.modified),
        text("xmp:MetadataDate", &xmp.metadata_date),
        text("xmpMM:DocumentID", &xmp.document_id),
        text("xmpMM:InstanceID", &xmp.instance_id),
        text("xmpMM:OriginalDocumentID", &xmp.original_document_id),
        text("Iptc4xmpExt:DigitalSourceType", &xmp.digital_source_type),
        text("photoshop:Credit", &xmp.credit),
    ]
    .into_iter()
    .flatten()
    .collect();
    for (number, entry) in (1..).zip(&xmp.history) {
        let name = |field: &str| format!("xmpMM:History/{number}/{field}");
        properties.extend(
            [
                text(&name("action"), &entry.action),
                text(&name("softwareAgent"), &entry.software),
                text(&name("when"), &entry.when),
                text(&name("changed"), &entry.changed),
            ]
            .into_iter()
            .flatten(),
        );
    }
    properties
}
