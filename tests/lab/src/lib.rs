//! Makes the files that the demo and the tests work on: a photograph, documents, a signature, a film; and sets of labelled
//! papers and photographs, genuine and forged, on which the analysis is tuned and judged. They are real files of their
//! formats, drawn by this program, so nobody's picture or paper lies in the repository. A seed decides every byte.

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
    paper::{FieldLabel, Forgery, JUDGING, Paper, PaperLabel, PaperOptions, Quality, TYPES, paper},
    person::Person,
    photo::{PhotoOptions, Position, TakenAt, photo},
    picture::{Editing, LabelledPhoto, labelled_photo},
    scene::{Camera, Scene},
    set::{write_documents, write_photos},
    signature::signature,
    specimens::write_specimens,
    video::{VideoOptions, video},
};
