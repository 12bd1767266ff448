//! The command line of the lab: writes specimens to files.

use std::{fs, path::PathBuf};

use anyhow::Context as _;
use clap::{Args, Parser, Subcommand};
use sealwright_lab::{
    Person, PhotoOptions, Position, RepairInvoice, TakenAt, VideoOptions, energy_bill, identity_card, photo,
    repair_invoice, signature, video, write_documents, write_packages, write_photos, write_specimens,
};

/// Makes the photos and documents that the demo and the tests use. The same seed gives the same bytes.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// One of each kind, and specimens.json that describes them.
    Specimens {
        /// The folder to write to; it is created if it does not exist.
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Labelled papers of all types, genuine and forged, and labels.json.
    Documents(Set),
    /// Labelled photographs, untouched and edited, and labels.json.
    Photos(Set),
    /// Packages of papers of one case, coherent and contradictory, and packages.json.
    Packages(Set),
    /// A photograph of a damaged house, as JPEG with EXIF data.
    Photo(PhotoArguments),
    /// A specimen identity card, as PDF.
    IdentityCard(File),
    /// A specimen electricity bill, as PDF.
    EnergyBill(File),
    /// A specimen invoice for a repair, as PDF.
    RepairInvoice(File),
    /// A signature on a transparent background, as PNG.
    Signature(File),
    /// A film of the house, as MP4 (Motion JPEG).
    Video {
        #[command(flatten)]
        file: File,
        #[arg(long, default_value_t = VideoOptions::default().frames)]
        frames: u16,
    },
}

#[derive(Args)]
struct Set {
    /// The first seed. Papers from 1000000 on are for judging: they have wordings that no other paper has.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long, default_value_t = 100)]
    count: u64,
    /// The folder to write to; it is created if it does not exist.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

#[derive(Args)]
struct File {
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Args)]
struct PhotoArguments {
    #[command(flatten)]
    file: File,
    /// Size of the upright picture in pixels.
    #[arg(long, default_value_t = PhotoOptions::default().width)]
    width: u32,
    #[arg(long, default_value_t = PhotoOptions::default().height)]
    height: u32,
    /// JPEG quality.
    #[arg(long, default_value_t = PhotoOptions::default().quality, value_parser = clap::value_parser!(u8).range(1..=100))]
    quality: u8,
    /// Store it rotated to the left, with EXIF orientation 6.
    #[arg(long)]
    rotated: bool,
    /// The camera's clock, with its offset: 2026-11-20T10:42:17+01:00.
    #[arg(long, default_value_t)]
    taken_at: TakenAt,
    /// Degrees; north is positive.
    #[arg(long, default_value_t = Position::default().latitude, allow_negative_numbers = true)]
    latitude: f64,
    /// Degrees; east is positive.
    #[arg(long, default_value_t = Position::default().longitude, allow_negative_numbers = true)]
    longitude: f64,
    /// Leave the position out.
    #[arg(long, conflicts_with_all = ["latitude", "longitude"])]
    no_position: bool,
}

impl PhotoArguments {
    fn options(&self) -> PhotoOptions {
        let position = Position { latitude: self.latitude, longitude: self.longitude };
        PhotoOptions {
            seed: self.file.seed,
            width: self.width,
            height: self.height,
            quality: self.quality,
            stored_rotated: self.rotated,
            taken_at: self.taken_at,
            position: (!self.no_position).then_some(position),
        }
    }
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().command {
        Command::Specimens { out, seed } => write_specimens(&out, seed).map(|list| println!("{list:#}")),
        Command::Documents(set) => write_documents(&set.out, set.seed, set.count),
        Command::Photos(set) => write_photos(&set.out, set.seed, set.count),
        Command::Packages(set) => write_packages(&set.out, set.seed, set.count),
        Command::Photo(arguments) => write(&arguments.file, &photo(&arguments.options())?),
        Command::IdentityCard(file) => write(&file, &identity_card(&Person::invented(file.seed))?),
        Command::EnergyBill(file) => write(&file, &energy_bill(&Person::invented(file.seed), file.seed)?),
        Command::RepairInvoice(file) => {
            write(&file, &repair_invoice(&Person::invented(file.seed), &RepairInvoice::invented(file.seed))?)
        }
        Command::Signature(file) => write(&file, &signature(file.seed)?),
        Command::Video { file, frames } => {
            write(&file, &video(&VideoOptions { seed: file.seed, frames, ..VideoOptions::default() })?)
        }
    }
}

fn write(file: &File, bytes: &[u8]) -> anyhow::Result<()> {
    fs::write(&file.out, bytes).with_context(|| format!("cannot write {}", file.out.display()))
}
