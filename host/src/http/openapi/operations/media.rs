//! Public certificates, pictures and videos.

use serde_json::json;

use crate::http::openapi::description::{Answer, Content, Description, Query, Tag};

pub(super) fn certificate() -> Description {
    Description {
        tag: Tag::Media,
        summary: "Read a certificate",
        details: "The certificate as PDF/A, under the name `<cfRef>.pdf`. If it is still being made, the request waits for it, up to 30 seconds.",
        query: Vec::new(),
        body: None,
        answers: vec![Answer::bytes(200, "The certificate.", &["application/pdf"]), Answer::unchanged()],
        refusals: vec![
            (404, "No certificate has this token.", "no certificate has this address"),
            (503, "The certificate is not ready yet.", "the certificate is not ready yet"),
        ],
        next: Vec::new(),
    }
}

pub(super) fn verification() -> Description {
    let page = |status, description, headers| Answer {
        content: Content::Text("text/html"),
        headers,
        ..Answer::bytes(status, description, &[])
    };
    Description {
        tag: Tag::Media,
        summary: "Read what a certificate proves",
        details: "A page in English, French or German by `Accept-Language`. It shows what was sealed, by whom and since when, what is \
                  not proven, and whether the certificate is still valid. The certificate's bytes are checked again for \
                  this. `sealwright verify` reports the same for the file, without this server. If the certificate is still being made, the request waits for it, up to 30 seconds.",
        query: Vec::new(),
        body: None,
        answers: vec![
            page(200, "A page: the result of the check, whether or not the certificate holds.", &["Cache-Control"]),
            page(404, "A page: no certificate has this token.", &["Cache-Control"]),
            page(503, "A page: the certificate is not ready yet.", &["Cache-Control", "Retry-After"]),
        ],
        refusals: Vec::new(),
        next: Vec::new(),
    }
}

pub(super) fn evidence() -> Description {
    Description {
        tag: Tag::Media,
        summary: "Read a certificate's evidence record",
        details: "The evidence record (RFC 4998, DER) of the certificate as it is served now, under the name `<cfRef>.ers`. It \
                  extends the time stamps of the certificate, and grows with each renewal. `sealwright verify` takes it with \
                  `--evidence`. Certificates have one only if the operator switched `seal.evidence` on, and not before their \
                  own time stamps expire in some months.",
        query: Vec::new(),
        body: None,
        answers: vec![Answer::bytes(200, "The evidence record.", &["application/octet-stream"]), Answer::unchanged()],
        refusals: vec![
            (404, "No certificate has this token.", "no certificate has this address"),
            (404, "The certificate has no evidence record.", "the certificate has no evidence record yet"),
        ],
        next: Vec::new(),
    }
}

pub(super) fn package() -> Description {
    Description {
        tag: Tag::Media,
        summary: "Download the whole case in one file",
        details: "An ASiC-E container (ETSI EN 319 162-1), a ZIP archive: the certificate `<cfRef>.pdf`, every original as it \
                  was sent (`originals/`), the time-stamp tokens over them (`tokens/`), the proof from the log of seals \
                  (`proofs/`), and in `META-INF` a manifest with the SHA-256 of each file and a time stamp over the manifest. \
                  In place of an original that was deleted after its analysis there is a text. Only users of the case's \
                  company can download it: the address alone gives access to the certificate.",
        query: Vec::new(),
        body: None,
        answers: vec![Answer {
            headers: &["Cache-Control"],
            ..Answer::bytes(200, "The package.", &["application/vnd.etsi.asic-e+zip"])
        }],
        refusals: vec![
            (403, "The case belongs to another company.", "the case belongs to another company"),
            (404, "No certificate has this token. An open case has none.", "no certificate has this address"),
            (503, "The certificate is not made yet.", "the certificate is still being made"),
            (
                503,
                "No time-stamping authority answers; the package is not made without a time stamp.",
                "no time-stamping authority stamps the package",
            ),
        ],
        next: Vec::new(),
    }
}

pub(super) fn image() -> Description {
    Description {
        tag: Tag::Media,
        summary: "Read a photo, signature or document",
        details: "A picture as PNG, without its metadata; a JPEG is converted. With `original=1`, or \
                  `Accept: image/jpeg`, the bytes exactly as they were sent: `imageHash` is the SHA-256 of those. A \
                  document that is a PDF is always served as it was sent.",
        query: vec![Query {
            name: "original",
            description: "`1` asks for the bytes as they were sent; anything else is ignored.",
            required: false,
            schema: json!({ "type": "string", "examples": ["1"] }),
        }],
        body: None,
        answers: vec![
            Answer::bytes(200, "The picture or document.", &["image/png", "image/jpeg", "application/pdf"]),
            Answer::unchanged(),
        ],
        refusals: vec![
            (400, "The key is malformed.", "the address must end in the image's key, 32 hexadecimal digits"),
            (404, "No picture or document has this key.", "no image has this address"),
            (
                404,
                "The picture cannot be decoded; ask for the original.",
                "the image cannot be shown as PNG (it is cut off); ask for the original with ?original=1",
            ),
        ],
        next: Vec::new(),
    }
}

pub(super) fn video() -> Description {
    Description {
        tag: Tag::Media,
        summary: "Read a video",
        details: "The video, or the part of it that a `Range` header asks for.",
        query: Vec::new(),
        body: None,
        answers: vec![
            Answer::bytes(200, "The whole video.", &["video/mp4"]),
            Answer {
                headers: &["ETag", "Cache-Control", "Content-Range"],
                ..Answer::bytes(206, "The part that was asked for.", &["video/mp4"])
            },
            Answer::unchanged(),
        ],
        refusals: vec![
            (400, "The key is malformed.", "the address must end in the video's key, 32 hexadecimal digits"),
            (404, "No video has this key.", "no video has this address"),
            (416, "The range is outside the video.", "the range is outside the file of 52311 bytes"),
        ],
        next: Vec::new(),
    }
}
