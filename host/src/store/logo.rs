//! The logos of companies, by their digest: two companies with the same file have one row.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sealwright_seal::Sha256Digest;

use super::from_base64;
use crate::{
    db::{Reader, Tx},
    domain::{appearance::Logo, file_kind::FileKind},
};

/// A logo as it is served.
#[derive(Clone, Debug)]
pub struct LogoFile {
    pub kind: FileKind,
    pub bytes: Vec<u8>,
}

pub async fn find(reader: &mut Reader, sha256: Sha256Digest) -> sqlx::Result<Option<LogoFile>> {
    let row: Option<(FileKind, String)> =
        reader.query("select media_type, bytes from logos where sha256 = $1").bind(sha256).optional().await?;
    row.map(|(kind, bytes)| Ok(LogoFile { kind, bytes: from_base64("bytes", &bytes)? })).transpose()
}

/// Stores the logo, unless it is there.
pub async fn insert(tx: &mut Tx, logo: &Logo) -> sqlx::Result<()> {
    tx.query("insert into logos (sha256, media_type, bytes) values ($1, $2, $3) on conflict (sha256) do nothing")
        .bind(logo.sha256)
        .bind(logo.kind)
        .bind(STANDARD.encode(&logo.bytes))
        .execute()
        .await?;
    Ok(())
}

/// Deletes the logos that no company has any more.
pub async fn delete_unused(tx: &mut Tx) -> sqlx::Result<()> {
    tx.query("delete from logos where not exists (select 1 from companies where companies.logo = logos.sha256)")
        .execute()
        .await?;
    Ok(())
}
