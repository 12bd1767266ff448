//! The files that clients upload, drawn once for the whole run.

use std::sync::LazyLock;

use sealwright_lab::{Person, PhotoOptions, VideoOptions};

pub(crate) struct File {
    pub(crate) bytes: Vec<u8>,
    pub(crate) name: &'static str,
    pub(crate) media_type: &'static str,
}

pub(crate) fn photo() -> &'static File {
    static DRAWN: LazyLock<File> = LazyLock::new(|| {
        let options = PhotoOptions { width: 320, height: 240, ..PhotoOptions::default() };
        let bytes = sealwright_lab::photo(&options).expect("the lab draws a photograph");
        File { bytes, name: "front.jpg", media_type: "image/jpeg" }
    });
    &DRAWN
}

pub(crate) fn signature() -> &'static File {
    static DRAWN: LazyLock<File> = LazyLock::new(|| {
        let bytes = sealwright_lab::signature(1).expect("the lab draws a signature");
        File { bytes, name: "signature.png", media_type: "image/png" }
    });
    &DRAWN
}

pub(crate) fn document() -> &'static File {
    static TYPESET: LazyLock<File> = LazyLock::new(|| {
        let bytes = sealwright_lab::identity_card(&Person::invented(1)).expect("the lab typesets a document");
        File { bytes, name: "card.pdf", media_type: "application/pdf" }
    });
    &TYPESET
}

pub(crate) fn video() -> &'static File {
    static FILMED: LazyLock<File> = LazyLock::new(|| {
        let options = VideoOptions { width: 160, height: 120, ..VideoOptions::default() };
        let bytes = sealwright_lab::video(&options).expect("the lab films a scene");
        File { bytes, name: "rooms.mp4", media_type: "video/mp4" }
    });
    &FILMED
}
