//! Makes the files that the demo and the tests use: a photograph, documents, a signature, a film; and sets of labelled
//! papers and photographs, genuine and forged, to tune and judge the analysis. They are real files of their formats,
//! drawn by this program, so the repository contains no picture or paper of a real person. A seed determines every
//! byte.

mod document;
mod lettering;
mod mrz;
mod paper;
mod person;
mod photo;
mod picture;
mod random;
mod scene;
mod set;
mod signature;
mod specimens;
mod video;

pub use self::{
    document::{RepairInvoice, energy_bill, identity_card, repair_invoice},
    paper::{
        FieldLabel, Forgery, JUDGING, Package, Paper, PaperLabel, PaperOptions, Quality, STORIES, TYPES, package,
        paper, reference_date,
    },
    person::Person,
    photo::{PhotoOptions, Position, TakenAt, photo},
    picture::{Editing, LabelledPhoto, labelled_photo},
    scene::{Camera, Scene},
    set::{write_documents, write_packages, write_photos},
    signature::signature,
    specimens::write_specimens,
    video::{VideoOptions, video},
};
