//! A picture's brightness, and the arithmetic behind its facts.

use image::{DynamicImage, RgbImage};

/// One brightness value for each pixel, row by row.
#[derive(Clone, Debug)]
pub(crate) struct Plane {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) values: Vec<u8>,
}

impl Plane {
    /// Brightness as JPEG defines it (ITU-R BT.601, JFIF 1.02): the values that were quantised.
    pub(crate) fn of_rgb(picture: &RgbImage) -> Self {
        let values = picture
            .as_raw()
            .as_chunks::<3>()
            .0
            .iter()
            .map(|&[red, green, blue]| {
                let sum = 19_595 * u32::from(red) + 38_470 * u32::from(green) + 7_471 * u32::from(blue) + 32_768;
                (sum >> 16).to_le_bytes()[0]
            })
            .collect();
        Self { width: picture.width() as usize, height: picture.height() as usize, values }
    }

    pub(crate) fn of(picture: &DynamicImage) -> Self {
        match picture {
            DynamicImage::ImageLuma8(grey) => {
                Self { width: grey.width() as usize, height: grey.height() as usize, values: grey.as_raw().clone() }
            }
            DynamicImage::ImageRgb8(colour) => Self::of_rgb(colour),
            other => Self::of_rgb(&other.to_rgb8()),
        }
    }

    /// Each dot is the mean of a square with the side `step`.
    pub(crate) fn reduced(&self, step: usize) -> Self {
        let (width, height) = (self.width / step, self.height / step);
        let mut values = Vec::with_capacity(width * height);
        // Row by row, in the order in which they are stored.
        let mut sums = vec![0_usize; width];
        for y in 0..height {
            sums.fill(0);
            for row in y * step..(y + 1) * step {
                for (sum, part) in sums.iter_mut().zip(self.row(row).chunks_exact(step)) {
                    *sum += part.iter().map(|&value| usize::from(value)).sum::<usize>();
                }
            }
            values.extend(sums.iter().map(|sum| u8::try_from(sum / (step * step)).unwrap_or(255)));
        }
        Self { width, height, values }
    }

    /// Turned upright by an EXIF orientation (1 to 8).
    pub(crate) fn upright(self, orientation: u8) -> Self {
        let (width, height) = (self.width, self.height);
        let turned = |to_width: usize, to_height: usize, from: &dyn Fn(usize, usize) -> (usize, usize)| {
            let mut values = Vec::with_capacity(self.values.len());
            for y in 0..to_height {
                values.extend((0..to_width).map(|x| {
                    let (x, y) = from(x, y);
                    self.values[y * width + x]
                }));
            }
            Self { width: to_width, height: to_height, values }
        };
        match orientation {
            2 => turned(width, height, &|x, y| (width - 1 - x, y)),
            3 => turned(width, height, &|x, y| (width - 1 - x, height - 1 - y)),
            4 => turned(width, height, &|x, y| (x, height - 1 - y)),
            5 => turned(height, width, &|x, y| (y, x)),
            6 => turned(height, width, &|x, y| (y, height - 1 - x)),
            7 => turned(height, width, &|x, y| (width - 1 - y, height - 1 - x)),
            8 => turned(height, width, &|x, y| (width - 1 - y, x)),
            _ => self,
        }
    }

    pub(crate) fn row(&self, y: usize) -> &[u8] {
        &self.values[y * self.width..(y + 1) * self.width]
    }

    /// How many pixels have each brightness.
    pub(crate) fn histogram(&self) -> [u64; 256] {
        let mut histogram = [0; 256];
        for &value in &self.values {
            histogram[usize::from(value)] += 1;
        }
        histogram
    }

    /// The middle of the picture, at most `side` each way, its corner on the grid of 8 by 8 blocks.
    pub(crate) fn middle(&self, side: usize) -> Self {
        let (width, height) = (self.width.min(side), self.height.min(side));
        let (left, top) = ((self.width - width) / 2 / 8 * 8, (self.height - height) / 2 / 8 * 8);
        let values = (top..top + height).flat_map(|y| &self.row(y)[left..left + width]).copied().collect();
        Self { width, height, values }
    }

    /// The mean brightness of each cell of a grid laid over the picture.
    pub(crate) fn means<const W: usize, const H: usize>(&self) -> [[f64; W]; H] {
        let range = |index: usize, cells: usize, whole: usize| {
            let start = (index * whole / cells).min(whole - 1);
            start..((index + 1) * whole / cells).clamp(start + 1, whole)
        };
        let mut means = [[0.0; W]; H];
        for (y, row) in means.iter_mut().enumerate() {
            let rows = range(y, H, self.height);
            for (x, mean) in row.iter_mut().enumerate() {
                let columns = range(x, W, self.width);
                let sum: u64 = rows
                    .clone()
                    .map(|y| self.row(y)[columns.clone()].iter().map(|&value| u64::from(value)).sum::<u64>())
                    .sum();
                *mean = to_f64(sum) / to_f64((rows.len() * columns.len()) as u64);
            }
        }
        means
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of pixels are far below 2^52")]
pub(crate) fn to_f64(count: u64) -> f64 {
    count as f64
}

/// `value` times `scale`, rounded; not a number and negative values are 0.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates, which is what is wanted")]
pub(crate) fn scaled(value: f64, scale: f64) -> u32 {
    (value * scale).round() as u32
}

/// A brightness, rounded and clamped.
#[cfg(test)]
pub(crate) fn byte(value: f64) -> u8 {
    u8::try_from(scaled(value, 1.0)).unwrap_or(255)
}

/// `part` of `whole` in hundredths of a percent.
pub(crate) fn per_ten_thousand(part: u64, whole: u64) -> u32 {
    u32::try_from((part * 10_000).checked_div(whole).unwrap_or(0)).unwrap_or(u32::MAX)
}
