//! How often shadow plugins agreed with the plugins that count, by day.

use sealwright_seal::digest::Sha256Digest;
use strum::{Display, EnumString};

use crate::{
    db::{Reader, Tx},
    domain::id::CompanyId,
};

/// What a shadow was asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum ShadowSubject {
    Document,
    Case,
}

sealwright_base::text_column!(ShadowSubject, "subject of a shadow");

/// The documents or cases that a shadow of a company was asked about.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ShadowTally {
    #[sqlx(rename = "company_id")]
    pub company: CompanyId,
    pub plugin: String,
    pub version: String,
    /// SHA-256 of the component.
    pub digest: Sha256Digest,
    pub subject: ShadowSubject,
    /// All its answers were those that count.
    pub agreed: i64,
    pub differed: i64,
    /// It or the plugin that counts gave no answer.
    pub unanswered: i64,
}

/// Adds to the counts of a day, in days since the epoch.
pub async fn add(tx: &mut Tx, day: i64, tally: &ShadowTally) -> sqlx::Result<()> {
    tx.query(
        "insert into shadow_days (company_id, plugin, digest, subject, day, version, agreed, differed, unanswered)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         on conflict (company_id, plugin, digest, subject, day) do update set
           agreed = shadow_days.agreed + excluded.agreed,
           differed = shadow_days.differed + excluded.differed,
           unanswered = shadow_days.unanswered + excluded.unanswered",
    )
    .bind(tally.company)
    .bind(&tally.plugin)
    .bind(tally.digest)
    .bind(tally.subject)
    .bind(day)
    .bind(&tally.version)
    .bind(tally.agreed)
    .bind(tally.differed)
    .bind(tally.unanswered)
    .execute()
    .await?;
    Ok(())
}

/// The sums of the days since `day`, by company and plugin.
pub async fn since(reader: &mut Reader, day: i64) -> sqlx::Result<Vec<ShadowTally>> {
    let tallies = reader.query(
        "select company_id, plugin, version, digest, subject, cast(sum(agreed) as bigint) as agreed,
                cast(sum(differed) as bigint) as differed, cast(sum(unanswered) as bigint) as unanswered
         from shadow_days where day >= $1
         group by company_id, plugin, version, digest, subject
         order by company_id, plugin, version, digest, subject desc",
    );
    tallies.bind(day).all().await
}

/// Deletes the days before `day`; returns how many rows they had.
pub async fn delete_before(tx: &mut Tx, day: i64) -> sqlx::Result<u64> {
    tx.query("delete from shadow_days where day < $1").bind(day).execute().await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::Db;

    #[tokio::test]
    async fn days_add_up_and_are_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open(&format!("sqlite://{}/test.db", folder.path().display())).await.unwrap();
        let mut tx = db.begin().await.unwrap();
        tx.query(
            "insert into companies (id, name, document_analysis, certificate_template, rate_limits, analysis, updated_at)
             values (7, 'Acme', true, 'default', '{}', '{}', 0)",
        )
        .execute()
        .await
        .unwrap();
        let one = ShadowTally {
            company: CompanyId::new(7).unwrap(),
            plugin: "analyst".to_owned(),
            version: "0.9.0".to_owned(),
            digest: Sha256Digest::of("component"),
            subject: ShadowSubject::Document,
            agreed: 1,
            differed: 2,
            unanswered: 0,
        };
        for (day, tally) in [
            (10, one.clone()),
            (20, one.clone()),
            (20, ShadowTally { agreed: 0, differed: 0, unanswered: 1, ..one.clone() }),
            (21, ShadowTally { subject: ShadowSubject::Case, ..one.clone() }),
        ] {
            add(&mut tx, day, &tally).await.unwrap();
        }
        let of_case = ShadowTally { subject: ShadowSubject::Case, ..one.clone() };
        let of_both_days = ShadowTally { agreed: 2, differed: 4, unanswered: 1, ..one.clone() };
        assert_eq!(since(&mut tx, 10).await.unwrap(), [of_both_days, of_case.clone()]);
        let of_the_second = ShadowTally { unanswered: 1, ..one };
        assert_eq!(since(&mut tx, 11).await.unwrap(), [of_the_second, of_case.clone()]);
        assert_eq!(delete_before(&mut tx, 21).await.unwrap(), 2);
        assert_eq!(since(&mut tx, 0).await.unwrap(), [of_case]);
    }
}
