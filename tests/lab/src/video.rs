//! A walk past the scene as an MP4 file (ISO/IEC 14496-12). Its frames are JPEG pictures (Motion JPEG, object type
//! 0x6C of ISO/IEC 14496-1), so no video encoder is needed and every frame can be viewed on its own.

use image::codecs::jpeg::JpegEncoder;

use crate::scene::{Camera, Scene};

/// What to film. The file's length in bytes grows with the pixels: about 30 kB a frame at the default size.
#[derive(Clone, Copy, Debug)]
pub struct VideoOptions {
    /// Which house: see [`Scene::new`].
    pub seed: u64,
    /// Pixels, 16 to 4096 each.
    pub width: u16,
    pub height: u16,
    /// 1 to 10,000.
    pub frames: u16,
}

impl Default for VideoOptions {
    /// Two seconds.
    fn default() -> Self {
        Self { seed: 1, width: 480, height: 360, frames: 2 * FRAMES_PER_SECOND }
    }
}

const FRAMES_PER_SECOND: u16 = 12;
/// The file's time units per second; each frame lasts `TIMESCALE / FRAMES_PER_SECOND` of them.
const TIMESCALE: u32 = 600;
const FRAME_DURATION: u32 = TIMESCALE / FRAMES_PER_SECOND as u32;

/// The film's bytes.
///
/// # Errors
/// If the size or the number of frames is out of range, or the file would exceed the 4 GiB that its offsets can
/// address.
pub fn video(options: &VideoOptions) -> anyhow::Result<Vec<u8>> {
    anyhow::ensure!(
        (16..=4096).contains(&options.width) && (16..=4096).contains(&options.height),
        "a film is 16 to 4096 pixels wide and high, not {} × {}",
        options.width,
        options.height
    );
    anyhow::ensure!((1..=10_000).contains(&options.frames), "a film has 1 to 10000 frames, not {}", options.frames);
    let scene = Scene::new(options.seed);
    let frames = (0..options.frames).map(|index| frame(&scene, options, index)).collect::<anyhow::Result<Vec<_>>>()?;
    mux(options, &frames)
}

/// One picture: the camera moves to the right and turns towards the damage.
fn frame(scene: &Scene, options: &VideoOptions, index: u16) -> anyhow::Result<Vec<u8>> {
    let t = f32::from(index) / f32::from(options.frames);
    let step = (f32::from(index) * 1.1).sin() * 0.02;
    let camera = Camera {
        along: -5.2 + 4.0 * t,
        height: 1.65 + step,
        distance: 9.2 - 1.6 * t,
        aim: 0.55 + 1.4 * t,
        ..Camera::default()
    };
    let picture = scene.render(&camera, options.width.into(), options.height.into());
    let mut jpeg = Vec::new();
    JpegEncoder::new_with_quality(&mut jpeg, 75).encode_image(&picture)?;
    Ok(jpeg)
}

/// `ftyp`, `mdat` with the frames one after the other, and `moov` with the position of each frame.
fn mux(options: &VideoOptions, frames: &[Vec<u8>]) -> anyhow::Result<Vec<u8>> {
    let file_type = boxed(*b"ftyp", &[b"isom", &0x200_u32.to_be_bytes()[..], b"isom", b"iso2", b"mp41"]);
    let media = boxed(*b"mdat", &frames.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let first = u32::try_from(file_type.len() + 8)?;
    u32::try_from(file_type.len() + media.len())?;
    let sizes = frames.iter().map(|frame| u32::try_from(frame.len())).collect::<Result<Vec<_>, _>>()?;
    let movie = movie(options, &sizes, first);
    Ok([file_type, media, movie].concat())
}

fn movie(options: &VideoOptions, sizes: &[u32], first: u32) -> Vec<u8> {
    let duration = u32::from(options.frames) * FRAME_DURATION;
    boxed(*b"moov", &[&movie_header(duration), &track(options, sizes, first, duration)])
}

fn movie_header(duration: u32) -> Vec<u8> {
    let mut body = Fields::full(0, 0);
    body.u32s(&[0, 0, TIMESCALE, duration, 0x0001_0000]).u16s(&[0x0100, 0]).u32s(&[0, 0]);
    body.matrix().u32s(&[0; 6]).u32s(&[2]);
    body.boxed(*b"mvhd")
}

fn track(options: &VideoOptions, sizes: &[u32], first: u32, duration: u32) -> Vec<u8> {
    // Flags 3: the track is enabled and part of the presentation.
    let mut header = Fields::full(0, 3);
    header.u32s(&[0, 0, 1, 0, duration, 0, 0]).u16s(&[0; 4]).matrix();
    header.u32s(&[u32::from(options.width) << 16, u32::from(options.height) << 16]);

    let mut media_header = Fields::full(0, 0);
    // 0x55C4 is 'und' in the packed form: no language.
    media_header.u32s(&[0, 0, TIMESCALE, duration]).u16s(&[0x55c4, 0]);
    let mut handler = Fields::full(0, 0);
    handler.u32s(&[0]).bytes(b"vide").u32s(&[0; 3]).bytes(b"Drawn frames\0");
    let media = boxed(
        *b"mdia",
        &[&media_header.boxed(*b"mdhd"), &handler.boxed(*b"hdlr"), &media_information(options, sizes, first)],
    );
    boxed(*b"trak", &[&header.boxed(*b"tkhd"), &media])
}

fn media_information(options: &VideoOptions, sizes: &[u32], first: u32) -> Vec<u8> {
    let mut video_header = Fields::full(0, 1);
    video_header.u16s(&[0; 4]);
    // Flags 1: the frames are in this file.
    let location = Fields::full(0, 1).boxed(*b"url ");
    let mut references = Fields::full(0, 0);
    references.u32s(&[1]).bytes(&location);
    let data = boxed(*b"dinf", &[&references.boxed(*b"dref")]);
    boxed(*b"minf", &[&video_header.boxed(*b"vmhd"), &data, &sample_table(options, sizes, first)])
}

/// The duration and size of each frame; all are in one chunk that starts at `first`.
fn sample_table(options: &VideoOptions, sizes: &[u32], first: u32) -> Vec<u8> {
    let count = u32::from(options.frames);
    let mut descriptions = Fields::full(0, 0);
    descriptions.u32s(&[1]).bytes(&sample_entry(options, sizes));
    let mut durations = Fields::full(0, 0);
    durations.u32s(&[1, count, FRAME_DURATION]);
    let mut chunks = Fields::full(0, 0);
    chunks.u32s(&[1, 1, count, 1]);
    let mut lengths = Fields::full(0, 0);
    lengths.u32s(&[0, count]).u32s(sizes);
    let mut offsets = Fields::full(0, 0);
    offsets.u32s(&[1, first]);
    boxed(
        *b"stbl",
        &[
            &descriptions.boxed(*b"stsd"),
            &durations.boxed(*b"stts"),
            &chunks.boxed(*b"stsc"),
            &lengths.boxed(*b"stsz"),
            &offsets.boxed(*b"stco"),
        ],
    )
}

/// The visual sample entry `mp4v`, whose elementary stream descriptor names JPEG.
fn sample_entry(options: &VideoOptions, sizes: &[u32]) -> Vec<u8> {
    let mut entry = Fields(Vec::new());
    entry.u16s(&[0, 0, 0, 1]).u32s(&[0; 4]).u16s(&[options.width, options.height]);
    // 72 dots per inch, one frame per sample, no compressor name, 24 bits of colour.
    entry.u32s(&[0x0048_0000, 0x0048_0000, 0]).u16s(&[1]).bytes(&[0; 32]).u16s(&[24, 0xffff]);
    entry.bytes(&stream_descriptor(sizes));
    entry.boxed(*b"mp4v")
}

/// ISO/IEC 14496-1, 7.2.6: ES descriptor > decoder configuration > object type, and a sync-layer configuration.
fn stream_descriptor(sizes: &[u32]) -> Vec<u8> {
    let largest = sizes.iter().copied().max().unwrap_or_default();
    let bits_per_second = largest.saturating_mul(8).saturating_mul(u32::from(FRAMES_PER_SECOND));
    let mut decoder = Fields(vec![0x6c, 0x11]);
    // The buffer's size has 24 bits.
    decoder.bytes(&largest.min(0x00ff_ffff).to_be_bytes()[1..]).u32s(&[bits_per_second, bits_per_second]);
    let mut stream = Fields(vec![0, 1, 0]);
    stream.bytes(&descriptor(0x04, &decoder.0)).bytes(&descriptor(0x06, &[2]));
    let mut body = Fields::full(0, 0);
    body.bytes(&descriptor(0x03, &stream.0));
    body.boxed(*b"esds")
}

/// A descriptor of fewer than 128 bytes: tag, length, content.
fn descriptor(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = u8::try_from(content.len()).expect("the descriptors of this file are 1 to 22 bytes long");
    [&[tag, length], content].concat()
}

/// A box: its length with this header, its four-letter type, its content.
fn boxed(kind: [u8; 4], parts: &[&[u8]]) -> Vec<u8> {
    let length = 8 + parts.iter().map(|part| part.len()).sum::<usize>();
    // `mux` detects a length that does not fit: it checks the largest box.
    let header = u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes();
    [&header[..], &kind, &parts.concat()].concat()
}

/// A box's content under construction, big-endian.
struct Fields(Vec<u8>);

impl Fields {
    /// A 'full box' starts with a version and 24 bits of flags.
    fn full(version: u8, flags: u32) -> Self {
        Self((u32::from(version) << 24 | flags).to_be_bytes().to_vec())
    }

    fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }

    fn u16s(&mut self, values: &[u16]) -> &mut Self {
        self.0.extend(values.iter().flat_map(|value| value.to_be_bytes()));
        self
    }

    fn u32s(&mut self, values: &[u32]) -> &mut Self {
        self.0.extend(values.iter().flat_map(|value| value.to_be_bytes()));
        self
    }

    /// The unit matrix: the picture is shown unchanged.
    fn matrix(&mut self) -> &mut Self {
        self.u32s(&[0x0001_0000, 0, 0, 0, 0x0001_0000, 0, 0, 0, 0x4000_0000])
    }

    fn boxed(&self, kind: [u8; 4]) -> Vec<u8> {
        boxed(kind, &[&self.0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short() -> VideoOptions {
        VideoOptions { seed: 1, width: 96, height: 64, frames: 5 }
    }

    /// The content of the box at the end of `path`, each found inside the one before.
    fn find<'a>(mut data: &'a [u8], path: &[&[u8; 4]]) -> &'a [u8] {
        for kind in path {
            loop {
                let length = u32::from_be_bytes(data[..4].try_into().unwrap()) as usize;
                let (current, rest) = data.split_at(length);
                if current[4..8] == kind[..] {
                    data = &current[8..];
                    break;
                }
                data = rest;
            }
        }
        data
    }

    fn numbers(data: &[u8]) -> Vec<usize> {
        data.as_chunks::<4>().0.iter().map(|&word| u32::from_be_bytes(word) as usize).collect()
    }

    #[test]
    fn every_frame_is_at_its_place_in_the_tables_and_can_be_decoded() {
        let film = video(&short()).unwrap();
        let table: &[&[u8; 4]] = &[b"moov", b"trak", b"mdia", b"minf", b"stbl"];
        let sizes = numbers(&find(&film, &[table, &[b"stsz"]].concat())[12..]);
        let mut place = numbers(find(&film, &[table, &[b"stco"]].concat()))[2];
        assert_eq!(sizes.len(), 5);
        for size in sizes {
            let picture = image::load_from_memory(&film[place..place + size]).unwrap();
            assert_eq!((picture.width(), picture.height()), (96, 64));
            place += size;
        }
    }

    #[test]
    fn the_boxes_fill_the_file_to_its_last_byte() {
        let film = video(&short()).unwrap();
        let mut rest = film.as_slice();
        let mut kinds = Vec::new();
        while !rest.is_empty() {
            let length = u32::from_be_bytes(rest[..4].try_into().unwrap()) as usize;
            kinds.push(rest[4..8].to_vec());
            rest = &rest[length..];
        }
        assert_eq!(kinds, [b"ftyp", b"mdat", b"moov"]);
    }

    #[test]
    fn a_film_without_frames_is_rejected() {
        assert!(video(&VideoOptions { frames: 0, ..short() }).is_err());
        assert!(video(&VideoOptions { width: 8, ..short() }).is_err());
    }
}
