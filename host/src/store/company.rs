//! Companies.

use std::collections::BTreeMap;

use sealwright_seal::digest::Sha256Digest;
use serde::{Deserialize, Serialize};

use super::{from_json, to_json};
use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        appearance::Colour,
        certificate_extras::{CertificateExtras, EmbeddedSize},
        company_manifest::{Keeper, PluginRole, Retention, SignalWeights},
        id::CompanyId,
        language::CertificateLanguage,
        operation::Operation,
        registry_reference::RegistryReference,
        time_zone::TimeZoneName,
    },
};

/// A company as its company manifest defines it.
#[derive(Clone, Debug, PartialEq)]
pub struct Company {
    pub id: CompanyId,
    pub name: String,
    pub parent: Option<CompanyId>,
    pub document_analysis: bool,
    pub certificate_template: String,
    /// Of its certificates, unless a case has another one.
    pub language: CertificateLanguage,
    /// Whose times certificates show next to UTC; none: UTC only.
    pub time_zone: Option<TimeZoneName>,
    /// What its certificates contain in addition.
    pub extras: CertificateExtras,
    pub colour: Option<Colour>,
    /// Of a file in the table of logos.
    pub logo: Option<Sha256Digest>,
    /// Raised quotas: from operation, as spec 4 writes it, to requests per minute.
    pub rate_limits: BTreeMap<String, u32>,
    pub analysis: Analysis,
    pub keeper: Keeper,
    /// How many days the records of the audit log are kept; none: as long as the database.
    pub audit_days: Option<u32>,
    pub retention: Retention,
    /// Counts the changes of the settings, those of users, frames and webhooks included.
    pub revision: i64,
}

/// How the company's cases are analysed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    pub weights: SignalWeights,
    /// Empty: the built-in plugins with their default settings.
    pub plugins: Vec<AnalysisPlugin>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnalysisPlugin {
    pub name: String,
    pub role: PluginRole,
    /// The component's SHA-256, if the company manifest pins it.
    #[serde(default)]
    pub sha256: Option<Sha256Digest>,
    /// Where the component with this SHA-256 was pulled from, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oci: Option<RegistryReference>,
    pub settings: serde_json::Map<String, serde_json::Value>,
    /// Whether it runs alongside the others without counting.
    #[serde(default)]
    pub shadow: bool,
}

impl Company {
    /// The raised quota of an operation, in requests per minute; none if the specification's applies.
    pub fn rate_limit(&self, operation: Operation) -> Option<u32> {
        self.rate_limits.get(&operation.properties().key()).copied()
    }
}

#[derive(sqlx_macros::FromRow)]
struct Row {
    id: CompanyId,
    name: String,
    parent_id: Option<CompanyId>,
    document_analysis: bool,
    certificate_template: String,
    language: CertificateLanguage,
    time_zone: Option<TimeZoneName>,
    embed_originals: i64,
    show_documents: i64,
    colour: Option<Colour>,
    logo: Option<Sha256Digest>,
    rate_limits: String,
    analysis: String,
    keeper: Keeper,
    audit_days: Option<i64>,
    case_days: Option<i64>,
    original_days: Option<i64>,
    fact_days: Option<i64>,
    delivery_days: Option<i64>,
    revision: i64,
}

macro_rules! rows {
    ($rest:literal) => {
        concat!(
            "select id, name, parent_id, document_analysis, certificate_template, language, time_zone,
               embed_originals, show_documents, colour, logo, rate_limits, analysis, keeper, audit_days, case_days, original_days, fact_days, delivery_days, revision
             from companies ",
            $rest
        )
    };
}

pub async fn find(reader: &mut Reader, id: CompanyId) -> sqlx::Result<Option<Company>> {
    let row: Option<Row> = reader.query(rows!("where id = $1")).bind(id).optional().await?;
    row.map(company).transpose()
}

/// Every company, by identifier.
pub async fn all(reader: &mut Reader) -> sqlx::Result<Vec<Company>> {
    let rows: Vec<Row> = reader.query(rows!("order by id")).all().await?;
    rows.into_iter().map(company).collect()
}

/// A plugin of analysis that a company's manifest names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPlugin {
    pub company: CompanyId,
    pub plugin: String,
    pub role: PluginRole,
    pub sha256: Option<Sha256Digest>,
    pub shadow: bool,
}

/// The components that were pulled for some company: where from, and their SHA-256.
pub async fn pulled_components(reader: &mut Reader) -> sqlx::Result<Vec<(RegistryReference, Sha256Digest)>> {
    let rows: Vec<(String,)> = reader.query("select analysis from companies order by id").all().await?;
    let mut pulled = Vec::new();
    for (analysis,) in rows {
        let analysis: Analysis = from_json("analysis", &analysis)?;
        pulled.extend(analysis.plugins.into_iter().filter_map(|plugin| Some((plugin.oci?, plugin.sha256?))));
    }
    Ok(pulled)
}

/// Every plugin of analysis that some company names, by company.
pub async fn named_plugins(reader: &mut Reader) -> sqlx::Result<Vec<NamedPlugin>> {
    let rows: Vec<(CompanyId, String)> = reader.query("select id, analysis from companies order by id").all().await?;
    let mut named = Vec::new();
    for (company, analysis) in rows {
        let analysis: Analysis = from_json("analysis", &analysis)?;
        named.extend(analysis.plugins.into_iter().map(|AnalysisPlugin { name, role, sha256, shadow, .. }| {
            NamedPlugin { company, plugin: name, role, sha256, shadow }
        }));
    }
    Ok(named)
}

/// Whether `child` is a company directly below `parent`.
pub async fn is_child(reader: &mut Reader, parent: CompanyId, child: CompanyId) -> sqlx::Result<bool> {
    let row: Option<(CompanyId,)> = reader
        .query("select id from companies where id = $1 and parent_id = $2")
        .bind(child)
        .bind(parent)
        .optional()
        .await?;
    Ok(row.is_some())
}

/// Whether some company has this one as its parent.
pub async fn has_children(reader: &mut Reader, id: CompanyId) -> sqlx::Result<bool> {
    let row: Option<(CompanyId,)> =
        reader.query("select id from companies where parent_id = $1 limit 1").bind(id).optional().await?;
    Ok(row.is_some())
}

/// Inserts or updates the company, except its revision.
pub async fn save(tx: &mut Tx, company: &Company, now: Timestamp) -> sqlx::Result<()> {
    tx.query(
        "insert into companies
           (id, name, parent_id, document_analysis, certificate_template, colour, logo, rate_limits, analysis,
            keeper, audit_days, language, time_zone, case_days, original_days, fact_days, delivery_days,
            embed_originals, show_documents, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
         on conflict (id) do update set
           name = excluded.name, parent_id = excluded.parent_id, document_analysis = excluded.document_analysis,
           certificate_template = excluded.certificate_template, colour = excluded.colour,
           logo = excluded.logo, rate_limits = excluded.rate_limits, analysis = excluded.analysis,
           keeper = excluded.keeper, audit_days = excluded.audit_days, language = excluded.language,
           time_zone = excluded.time_zone, case_days = excluded.case_days, original_days = excluded.original_days,
           fact_days = excluded.fact_days, delivery_days = excluded.delivery_days,
           embed_originals = excluded.embed_originals, show_documents = excluded.show_documents,
           updated_at = excluded.updated_at",
    )
    .bind(company.id)
    .bind(&company.name)
    .bind(company.parent)
    .bind(company.document_analysis)
    .bind(&company.certificate_template)
    .bind(company.colour)
    .bind(company.logo)
    .bind(to_json(&company.rate_limits))
    .bind(to_json(&company.analysis))
    .bind(company.keeper)
    .bind(company.audit_days.map(i64::from))
    .bind(company.language)
    .bind(&company.time_zone)
    .bind(company.retention.case_days.map(i64::from))
    .bind(company.retention.original_days.map(i64::from))
    .bind(company.retention.fact_days.map(i64::from))
    .bind(company.retention.delivery_days.map(i64::from))
    .bind(company.extras.embed_originals.bytes().cast_signed())
    .bind(i64::from(company.extras.show_documents))
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// Counts a change of the company's settings; false if the revision is not `revision`.
pub async fn count_revision(tx: &mut Tx, id: CompanyId, revision: i64) -> sqlx::Result<bool> {
    let counted = tx
        .query("update companies set revision = revision + 1 where id = $1 and revision = $2")
        .bind(id)
        .bind(revision)
        .execute()
        .await?;
    Ok(counted == 1)
}

pub async fn set_keeper(tx: &mut Tx, id: CompanyId, keeper: Keeper) -> sqlx::Result<()> {
    tx.query("update companies set keeper = $2 where id = $1").bind(id).bind(keeper).execute().await?;
    Ok(())
}

fn company(row: Row) -> sqlx::Result<Company> {
    let days = |days: Option<i64>| days.and_then(|days| u32::try_from(days).ok());
    Ok(Company {
        id: row.id,
        name: row.name,
        parent: row.parent_id,
        document_analysis: row.document_analysis,
        certificate_template: row.certificate_template,
        language: row.language,
        time_zone: row.time_zone,
        extras: CertificateExtras {
            embed_originals: u64::try_from(row.embed_originals).ok().and_then(EmbeddedSize::new).unwrap_or_default(),
            show_documents: u32::try_from(row.show_documents).unwrap_or_default(),
        },
        colour: row.colour,
        logo: row.logo,
        rate_limits: from_json("rate_limits", &row.rate_limits)?,
        analysis: from_json("analysis", &row.analysis)?,
        keeper: row.keeper,
        audit_days: days(row.audit_days),
        retention: Retention {
            case_days: days(row.case_days),
            original_days: days(row.original_days),
            fact_days: days(row.fact_days),
            delivery_days: days(row.delivery_days),
        },
        revision: row.revision,
    })
}
