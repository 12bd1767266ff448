//! How a company appears on the pages for people: its colour and its logo.

use bytes::Bytes;
use schemars::JsonSchema;
use sealwright_seal::Sha256Digest;
use serde::Serialize;

use crate::{
    app::App,
    domain::appearance::Palette,
    error::{Error, Result},
    media::image,
    store::{self, company::Company, logo::LogoFile},
};

/// The longest side of a logo in a certificate, in pixels: sharp at the width that templates give it.
const MARK_SIDE: u32 = 800;

/// How a company wants to appear.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AppearanceView {
    /// The company's colour, for light and for dark grounds; null if it has none.
    pub palette: Option<Palette>,
    /// Where the company's logo is served, a PNG or JPEG; null if it has none. Another logo has another address.
    pub logo_url: Option<String>,
}

impl AppearanceView {
    pub fn of(app: &App, company: &Company) -> Self {
        Self {
            palette: company.colour.map(Palette::of),
            logo_url: company.logo.map(|sha256| app.public_url(&format!("/logos/{sha256}"))),
        }
    }
}

/// The logo with this digest.
pub async fn logo(app: &App, sha256: Sha256Digest) -> Result<LogoFile> {
    let mut reader = app.db.read().await?;
    let logo = store::logo::find(&mut reader, sha256).await?;
    logo.ok_or_else(|| Error::not_found("no company has this logo"))
}

/// The logo with this digest as a picture for certificates. None if there is none, or the company has replaced it since.
pub async fn mark(app: &App, logo: Option<Sha256Digest>) -> Result<Option<Bytes>> {
    let Some(sha256) = logo else { return Ok(None) };
    let mut reader = app.db.read().await?;
    let stored = store::logo::find(&mut reader, sha256).await?;
    drop(reader);
    let Some(stored) = stored else { return Ok(None) };
    match app.run_heavy(move || image::for_certificate(&stored.bytes, MARK_SIDE)).await? {
        Ok(picture) => Ok(Some(Bytes::from(picture.bytes))),
        Err(error) => {
            tracing::warn!(logo = %sha256, %error, "a logo cannot be shown in a certificate");
            Ok(None)
        }
    }
}
