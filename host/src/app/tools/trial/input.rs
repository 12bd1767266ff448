//! The input of a trial: a file as the server would read it, or a short description of a document or a case.

mod case;

use std::{path::Path, sync::Arc};

use anyhow::{Context, Result, bail};
use bytes::Bytes;
use sealwright_facts::{Facts, child::FactsScope};
use serde::{Deserialize, Deserializer, de};
use sha2::{Digest, Sha256};

use self::case::case;
pub use self::case::case_of_photo;
use crate::{
    app,
    clock::Timestamp,
    domain::file_kind::FileKind,
    domain::{id::CompanyId, moment::parse_moment},
    plugins::{
        Role, WebhookCredential, WebhookRequest,
        facts::{Document, Evidence, HeldBytes, PageFacts, Property, Reading},
    },
    secrets::SecretString,
};

/// The default for all times: the same in every run, so that answers can be compared. 2026-11-20T10:00:00Z.
const MOMENT: Moment = Moment(1_795_168_800_000);

/// A4, in hundredths of a point.
const PAGE_WIDTH: u32 = 59_528;
const PAGE_HEIGHT: u32 = 84_189;

/// The input of a webhook mode, in addition to the body.
#[derive(Clone, Debug)]
pub struct WebhookInput {
    pub url: String,
    pub key_id: Option<SecretString>,
    pub secret: Option<SecretString>,
    pub grant_reveal: bool,
    pub now: Option<Timestamp>,
}

impl WebhookInput {
    pub(super) fn prepare(&self, company: CompanyId, body: Vec<u8>) -> (WebhookRequest, WebhookCredential) {
        let now = self.now.unwrap_or(Timestamp::from_millis(MOMENT.0.cast_signed()));
        let request =
            WebhookRequest { url: self.url.clone(), body: Bytes::from(body), now, delivery_id: "trial".to_owned() };
        let credential = WebhookCredential {
            company,
            label: "the credential of this trial".to_owned(),
            key_id: self.key_id.clone(),
            secret: self.secret.clone(),
            previous_secret: None,
            grant_reveal: self.grant_reveal,
        };
        (request, credential)
    }
}

/// The input of a plugin, by role.
pub(super) enum Input {
    Document(Arc<Document>),
    Case(Arc<Evidence>),
    Body(Vec<u8>),
}

impl Input {
    pub(super) async fn read(role: Role, path: &Path) -> Result<Self> {
        Ok(match role {
            Role::DocumentType | Role::Falsification | Role::CrossCheck => Self::Document(document(path).await?),
            Role::Signal => Self::Case(case(path).await?),
            Role::WebhookAuth => Self::Body(std::fs::read(path)?),
        })
    }
}

/// A document: a PDF, JPEG or PNG file as the server reads it; a text (`.txt`), in which a form feed ends a page; or a
/// description (`.json`).
async fn document(path: &Path) -> Result<Arc<Document>> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let described = match extension.as_deref() {
        Some("txt") => {
            let text = std::fs::read_to_string(path).context("a .txt document must be UTF-8 text")?;
            let page = |text: &str| DescribedPage { text: text.to_owned() };
            DescribedDocument { pages: text.split('\u{c}').map(page).collect(), ..DescribedDocument::default() }
        }
        Some("json") => {
            serde_json::from_str(&std::fs::read_to_string(path)?).context("it does not describe a document")?
        }
        _ => return Ok(Arc::new(read(path).await?)),
    };
    Ok(Arc::new(described.into_document()))
}

/// Reads a file as the server does.
async fn read(path: &Path) -> Result<Document> {
    let content = Bytes::from(std::fs::read(path)?);
    if document_kind(&content).is_none() {
        bail!("it is not a document: expected a PDF, JPEG or PNG file, a text (.txt), or a description (.json)");
    }
    let facts = app::facts::of_file(path, FactsScope::Text, "".into()).await?;
    document_of_facts(&facts, content).context("its kind is not known")
}

fn document_kind(content: &[u8]) -> Option<FileKind> {
    FileKind::of(content).filter(|kind| *kind != FileKind::Mp4)
}

/// A document with known facts. None if `content` is not a PDF, JPEG or PNG file.
pub fn document_of_facts(facts: &Facts, content: Bytes) -> Option<Document> {
    let kind = document_kind(&content)?;
    let digest = Sha256::digest(&content).into();
    let received_at = Timestamp::from_millis(MOMENT.0.cast_signed());
    Some(sealwright_plugin_facts::document(facts, kind, HeldBytes(content), digest, received_at))
}

/// A document as an author describes it. Missing fields are empty.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct DescribedDocument {
    media_type: Option<String>,
    received_at: Option<Moment>,
    omissions: Vec<String>,
    pages: Vec<DescribedPage>,
    properties: Vec<Property>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DescribedPage {
    text: String,
}

impl DescribedDocument {
    fn into_document(self) -> Document {
        let page = |page: DescribedPage| PageFacts {
            width: PAGE_WIDTH,
            height: PAGE_HEIGHT,
            rotation: 0,
            reading: if page.text.trim().is_empty() { Reading::Blank } else { Reading::Layer },
            image_cover: 0,
            text: page.text,
            text_runs: Vec::new(),
            shapes: Vec::new(),
        };
        Document {
            media_type: self.media_type.unwrap_or_else(|| FileKind::Pdf.media_type().to_owned()),
            content: HeldBytes::default(),
            sha256: Sha256::digest([]).into(),
            received_at: self.received_at.unwrap_or(MOMENT).0,
            omissions: self.omissions,
            pages: self.pages.into_iter().map(page).collect(),
            properties: self.properties,
            ..Document::default()
        }
    }
}

/// Milliseconds since the Unix epoch, written so or as a date-time.
#[derive(Clone, Copy)]
struct Moment(u64);

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Millis(u64),
            Text(String),
        }
        match Written::deserialize(deserializer)? {
            Written::Millis(millis) => Ok(Self(millis)),
            Written::Text(text) => parse_moment(&text)
                .and_then(|moment| u64::try_from(moment.as_millis()).ok())
                .map(Self)
                .ok_or_else(|| de::Error::custom(format!("{text:?} is not a time such as 2026-11-20T10:00:00Z"))),
        }
    }
}
