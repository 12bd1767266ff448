use image::{ExtendedColorType, codecs::jpeg::JpegEncoder};

use super::*;
use crate::image::plane::{byte, to_f64};

const WIDTH: usize = 480;
const HEIGHT: usize = 400;

/// Paper with grain, and darker lines on it.
fn paper(seed: u32) -> Plane {
    let mut state = seed;
    let values = (0..WIDTH * HEIGHT)
        .map(|at| {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            let is_ink = at / WIDTH % 20 < 3 && at % 7 < 4;
            byte(if is_ink { 90.0 } else { 215.0 } + f64::from(state % 15))
        })
        .collect();
    Plane { width: WIDTH, height: HEIGHT, values }
}

fn saved(plane: &Plane, quality: u8) -> Plane {
    let mut file = Vec::new();
    let (width, height) = (crate::text::count(plane.width), crate::text::count(plane.height));
    JpegEncoder::new_with_quality(&mut file, quality)
        .encode(&plane.values, width, height, ExtendedColorType::L8)
        .unwrap();
    let again = image::load_from_memory_with_format(&file, image::ImageFormat::Jpeg).unwrap().to_luma8();
    Plane { values: again.into_raw(), ..*plane }
}

fn found_in(plane: &Plane, quality: u8) -> HistoryFacts {
    history(plane, None, &table_of_quality(quality)).unwrap()
}

#[test]
fn an_inserted_part_is_located() {
    let mut changed = saved(&paper(1), 80);
    let other = paper(2);
    for y in 200..248 {
        let part = y * WIDTH + 160..y * WIDTH + 320;
        changed.values[part.clone()].copy_from_slice(&other.values[part]);
    }
    let found = found_in(&saved(&changed, 90), 90);
    let worst = found.odd_parts[0];
    assert!(found.gain > 600 && worst.strength > 1_500, "{found:?}");
    assert!(found.odd_parts.get(1).is_none_or(|next| next.strength * 3 < worst.strength), "{found:?}");
    assert!(worst.left.abs_diff(160) <= 8 && worst.top.abs_diff(200) <= 8, "{found:?}");
    assert!(worst.width.abs_diff(160) <= 16 && worst.height.abs_diff(48) <= 16, "{found:?}");
}

#[test]
fn the_earlier_steps_are_detected() {
    let found = found_in(&saved(&saved(&paper(1), 70), 90), 90);
    let table = table_of_quality(70);
    let is_right = |(place, step): &&(u8, u16)| *step == table[usize::from(*place)];
    assert!(found.earlier_steps.iter().filter(is_right).count() >= 6, "{found:?}");
}

#[test]
fn a_picture_that_was_saved_again_as_a_whole_has_no_odd_part() {
    let found = found_in(&saved(&saved(&paper(1), 80), 90), 90);
    assert!(found.gain > 600, "{found:?}");
    assert!(found.odd_parts.iter().all(|part| part.strength < 300), "{found:?}");
}

#[test]
fn a_picture_that_was_saved_once_has_no_history() {
    let found = found_in(&saved(&paper(1), 90), 90);
    assert!(found.gain < 30 && found.odd_parts.is_empty(), "{found:?}");
}

#[test]
fn small_pictures_have_no_history() {
    let small = Plane { width: 64, height: 64, values: vec![120; 64 * 64] };
    assert!(history(&small, None, &table_of_quality(75)).is_none());
    assert!(history(&paper(1), None, &[]).is_none());
}

/// Finely woven cloth, slightly tilted, with threads about as wide as a block.
fn cloth(period: f64) -> Plane {
    let mut state = 77_u32;
    let values = (0..WIDTH * HEIGHT)
        .map(|at| {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            let (x, y) = (to_f64((at % WIDTH) as u64), to_f64((at / WIDTH) as u64));
            let (s, t) = ((x + 0.07 * y) / period, (y - 0.07 * x) / period);
            let woven = (s * std::f64::consts::TAU).sin() * 30.0 + (t * std::f64::consts::TAU).sin() * 20.0;
            byte(128.0 + woven + f64::from(state % 17))
        })
        .collect();
    Plane { width: WIDTH, height: HEIGHT, values }
}

#[test]
fn a_fine_pattern_is_not_an_earlier_compression() {
    for (quality, period) in [(75, 7.3), (85, 8.4), (92, 5.1), (97, 9.7), (88, 16.2)] {
        let found = found_in(&saved(&cloth(period), quality), quality);
        assert!(found.gain < 10, "{quality} {period}: {found:?}");
    }
}

#[test]
fn a_crop_of_a_picture_has_no_history_wherever_its_old_grid_is() {
    let whole = saved(&paper(5), 70);
    for (across, down) in [(4, 4), (3, 5), (1, 0), (0, 3), (6, 2)] {
        let (width, height) = (WIDTH - 16, HEIGHT - 16);
        let values = (0..height).flat_map(|y| &whole.row(y + down)[across..across + width]).copied().collect();
        let cut = Plane { width, height, values };
        let found = found_in(&saved(&cut, 92), 92);
        assert!(found.gain < 10, "{across}, {down}: {found:?}");
    }
}

fn with_gains(gains: &[f64], count: f64) -> Vec<FittedFrequency> {
    let none = [0.0; REACH + 1];
    let explained = gains.iter().zip(0..).map(|(gain, index)| FittedFrequency {
        index,
        step: 3,
        earlier: 4,
        gain: *gain,
        count,
        better: [0.0; MAX_STEP as usize + 1],
        combless: none,
        straight: (0.0, none),
    });
    explained.collect()
}

#[test]
fn one_frequency_alone_is_not_a_compression() {
    let gain = |gains: &[f64], count| all_together(&with_gains(gains, count));
    assert!(gain(&[0.9, 0.0, 0.0, 0.0], 9_000.0) < 0.01);
    assert!(gain(&[0.03, 0.02, 0.001, 0.0], 2_000.0) < 0.02);
    // Two that are sure are enough.
    assert!(gain(&[0.03, 0.02, 0.001, 0.0], 9_000.0) > 0.05);
    let even = gain(&[0.2, 0.3, 0.25, 0.1], 9_000.0);
    assert!((even - 0.85).abs() < 1e-9, "{even}");
    assert!(gain(&[], 0.0).abs() < f64::EPSILON);
}

#[test]
fn one_table_explains_all_frequencies_or_none() {
    let table = table_of_quality(90);
    let fits = |but: usize| -> f64 {
        let mut explained = with_gains(&[0.0; 6], 5_000.0);
        for frequency in &mut explained {
            let earlier = usize::from(table[usize::from(FREQUENCIES[frequency.index].2)]);
            frequency.better = std::array::from_fn(|step| if step == earlier { 20.0 } else { -40.0 });
            if frequency.index < but {
                frequency.better[earlier] = -40.0;
            }
        }
        by_one_table(&explained)
    };
    assert!((fits(0) - 0.024).abs() < 1e-9);
    assert!(fits(3).abs() < f64::EPSILON);
    // Even with only a weak trace, a table that was nearly the present one is detected.
    assert!(found_in(&saved(&saved(&paper(1), 80), 90), 90).table_gain > 1_000);
    assert_eq!(found_in(&saved(&paper(1), 90), 90).table_gain, 0);
}

#[test]
fn a_shape_is_bent_towards_the_counts_and_a_comb_is_not_bent_away() {
    let bends = Bends::new();
    let falling = |by: f64| shares(&std::array::from_fn(|place| (-to_f64(place as u64) * by).exp()));
    let (steep, flat) = (falling(0.5), falling(0.3));
    let counted = steep.map(|share| share * 10_000.0);
    let best: f64 = counted[1..]
        .iter()
        .zip(&steep[1..])
        .map(|(count, share)| count * (share / steep[1..].iter().sum::<f64>()).ln())
        .sum();
    // A shape with another slope is nearly as good once it is bent: 10,000 values lose a hundredth each.
    assert!(best - bends.fit(&counted, &flat).likelihood < 100.0);
    // Bending cannot explain that every second value is missing.
    let mut comb = counted;
    for count in comb.iter_mut().step_by(2) {
        *count = 0.0;
    }
    let smooth = bends.fit(&comb, &steep).likelihood;
    let toothed: Shares = std::array::from_fn(|place| if place % 2 == 0 { steep[place] / 20.0 } else { steep[place] });
    assert!(bends.fit(&comb, &toothed).likelihood > smooth + 1_000.0);
}

/// The brightness and the colours of a picture that was saved at quality 80, then at 90: an even colour with grain.
fn coloured(strong: [f64; 3], place: (usize, usize), side: usize) -> (Plane, RgbImage) {
    let mut state = 9_u32;
    let picture = RgbImage::from_fn(crate::text::count(WIDTH), crate::text::count(HEIGHT), |x, y| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        let (x, y) = (x as usize, y as usize);
        let is_strong = (place.0..place.0 + side).contains(&x) && (place.1..place.1 + side).contains(&y);
        let colour = if is_strong { strong } else { [120.0, 130.0, 110.0] };
        image::Rgb(colour.map(|value| byte((value + f64::from(state % 41)).min(255.0))))
    });
    let again = |picture: &RgbImage, quality| {
        let mut file = Vec::new();
        JpegEncoder::new_with_quality(&mut file, quality).encode_image(picture).unwrap();
        image::load_from_memory(&file).unwrap().to_rgb8()
    };
    let twice = again(&again(&picture, 80), 90);
    (Plane::of_rgb(&twice), twice)
}

#[test]
fn clipped_colours_are_not_an_inserted_part() {
    let (plane, colours) = coloured([250.0, 120.0, 0.0], (160, 120), 96);
    let strength = |colours| {
        let found = history(&plane, colours, &table_of_quality(90)).unwrap();
        found.combless_parts.first().map_or(0, |part| part.strength)
    };
    let (without, with) = (strength(None), strength(Some(&colours)));
    assert!(with * 4 < without, "{with} {without}");
}
