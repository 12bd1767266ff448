//! Removes the content of records that their company no longer keeps. Their places and digests stay in the chain.

use std::time::Duration;

use crate::{app::App, clock::Timestamp, domain::id::CompanyId, error::Result, store};

/// How many records are changed in one transaction: on SQLite other writers wait for it.
const BATCH: i64 = 500;

const DAY: Duration = Duration::from_hours(24);

/// Empties the records of each company that are older than the company wants, and returns how many.
pub async fn expire(app: &App) -> Result<u64> {
    let mut reader = app.db.read().await?;
    let companies = store::company::all(&mut reader).await?;
    drop(reader);
    let now = app.clock.now();
    let mut expired = 0;
    for company in companies {
        let Some(days) = company.audit_days else { continue };
        expired += expire_company(app, company.id, now.before(DAY.saturating_mul(days)), now).await?;
    }
    Ok(expired)
}

/// Empties the records of a company from before a moment, and returns how many.
pub async fn expire_company(app: &App, company: CompanyId, before: Timestamp, now: Timestamp) -> Result<u64> {
    let mut expired = 0;
    loop {
        let mut tx = app.db.begin_maintenance().await?;
        let emptied = store::audit::expire(&mut tx, company, before, now, BATCH).await?;
        tx.commit().await?;
        expired += emptied;
        if emptied == 0 {
            return Ok(expired);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        app::{
            apply::{ManifestSource, apply},
            audit::{self, Actor, AuditFilter, Event, chain::chain_waiting, verify::check_chain},
            test_app::open_in,
        },
        clock::Clock,
        domain::{
            company_manifest::{self, Lookup},
            console::Scope,
        },
    };

    const NOW: Timestamp = Timestamp::from_millis(1_795_168_800_000);

    #[tokio::test]
    async fn only_old_records_of_companies_that_say_so_are_emptied() {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::held(NOW);
        let app = open_in(folder.path(), clock.clone()).await;
        let lookup = Lookup { env: &|_| None, file: &|_| Err(String::new()) };
        let manifest = |id: i64, rest: &str| {
            let text = format!("[company]\nid = {id}\nname = \"A\"\n{rest}");
            company_manifest::parse("a.toml", &text, &lookup).unwrap().value
        };
        let manifests = [manifest(1, "audit_days = 30"), manifest(2, "")];
        let source = ManifestSource::File { take_over: false };
        apply(&app, &Actor::command(), &manifests, source, false).await.unwrap();
        let add = async |company: Option<i64>, action: &'static str| {
            let event = Event::done(action, company.and_then(CompanyId::new), None);
            audit::record_alone(&app, &Actor::command(), event).await.unwrap();
        };
        for company in [Some(1), Some(2), None] {
            add(company, "old").await;
        }
        chain_waiting(&app.db).await.unwrap();
        clock.advance(DAY.saturating_mul(31));
        add(Some(1), "new").await;
        chain_waiting(&app.db).await.unwrap();

        // The record of applying its manifest, and the old one.
        assert_eq!(expire(&app).await.unwrap(), 2);
        assert_eq!(expire(&app).await.unwrap(), 0);
        let left = audit::newest(&app.db, &AuditFilter::all(Scope::Installation), None, 100).await.unwrap();
        let left: Vec<_> = left.iter().map(|record| (record.company, record.action.as_str())).collect();
        assert_eq!(left, [(Some(1), "new"), (None, "old"), (Some(2), "old"), (Some(2), "apply")]);
        let check = check_chain(&app.db, &[], app.clock.now()).await.unwrap();
        assert_eq!((check.records, check.expired, check.problem), (6, 2, None));
    }
}
