//! The record of every call of a plugin that a verdict is based on.

use sealwright_seal::digest::Sha256Digest;
use serde::Serialize;

use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::id::{CaseId, ItemId},
};

/// One call of a plugin. It never contains a value that was read from a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, sqlx_macros::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct PluginRun {
    pub item_id: Option<ItemId>,
    /// As in a company manifest, such as `falsification`; the two calls of a cross-check have different names.
    pub role: String,
    pub plugin: String,
    pub version: String,
    /// SHA-256 of the component.
    pub digest: Sha256Digest,
    /// The version of the contract.
    pub contract: String,
    pub settings_sha256: Sha256Digest,
    pub input_sha256: Sha256Digest,
    /// JSON.
    pub answer: Option<String>,
    /// Why there is no answer.
    pub failure: Option<String>,
    /// Microseconds.
    pub duration_us: i64,
    /// Units of fuel that it used. Absent in records from before migration 0039.
    pub fuel: Option<i64>,
    pub ran_at: Timestamp,
    /// The moment whose state of the case it was given. Absent in records from before migration 0008: then `ran_at`.
    pub as_of: Option<Timestamp>,
    /// Whether the call does not count.
    pub shadow: bool,
    /// The settings that it was given, JSON. Only for [`insert`]; afterwards [`settings`] returns them.
    #[sqlx(skip)]
    #[serde(skip)]
    pub settings: String,
}

impl PluginRun {
    /// The moment whose state of the case it was given.
    pub fn moment(&self) -> Timestamp {
        self.as_of.unwrap_or(self.ran_at)
    }
}

/// Stores the record of a call, and its settings.
pub async fn insert(tx: &mut Tx, case: CaseId, run: &PluginRun) -> sqlx::Result<()> {
    tx.query("insert into plugin_settings (sha256, settings) values ($1, $2) on conflict (sha256) do nothing")
        .bind(run.settings_sha256)
        .bind(&run.settings)
        .execute()
        .await?;
    tx.query(
        "insert into plugin_runs (case_id, item_id, role, plugin, version, digest, contract, settings_sha256, input_sha256,
                                  answer, failure, duration_us, ran_at, as_of, shadow, fuel)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
    )
    .bind(case)
    .bind(run.item_id)
    .bind(&run.role)
    .bind(&run.plugin)
    .bind(&run.version)
    .bind(run.digest)
    .bind(&run.contract)
    .bind(run.settings_sha256)
    .bind(run.input_sha256)
    .bind(&run.answer)
    .bind(&run.failure)
    .bind(run.duration_us)
    .bind(run.ran_at)
    .bind(run.as_of)
    .bind(run.shadow)
    .bind(run.fuel)
    .execute()
    .await?;
    Ok(())
}

/// The calls of a case and its items, oldest first.
pub async fn of_case(reader: &mut Reader, case: CaseId) -> sqlx::Result<Vec<PluginRun>> {
    reader
        .query(
            "select item_id, role, plugin, version, digest, contract, settings_sha256, input_sha256, answer, failure,
                duration_us, fuel, ran_at, as_of, shadow
         from plugin_runs where case_id = $1 order by id",
        )
        .bind(case)
        .all()
        .await
}

/// The settings with this SHA-256, JSON; none if no stored record has them.
pub async fn settings(reader: &mut Reader, sha256: Sha256Digest) -> sqlx::Result<Option<String>> {
    let row: Option<(String,)> =
        reader.query("select settings from plugin_settings where sha256 = $1").bind(sha256).optional().await?;
    Ok(row.map(|(settings,)| settings))
}
