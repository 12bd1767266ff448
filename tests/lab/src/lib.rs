//! Makes the files that the demo and the tests work on: a photograph, documents, a signature, a film. They are real
//! files of their formats, drawn by this program, so nobody's picture or paper lies in the repository. A seed decides
//! every byte.

mod document;
mod lettering;
mod mrz;
mod person;
mod photo;
mod random;
mod scene;
mod signature;
mod specimens;
mod video;

pub use self::{
    document::{RepairInvoice, energy_bill, identity_card, repair_invoice},
    person::Person,
    photo::{PhotoOptions, Position, TakenAt, photo},
    scene::{Camera, Scene},
    signature::signature,
    specimens::write_specimens,
    video::{VideoOptions, video},
};
