//! What the operator and the company's people do to closed cases.

use anyhow::ensure;
use reqwest::Method;

use super::{
    api::Api,
    console,
    ledger::{Fate, Owner},
    state::Year,
    work::to_erase,
};

/// What was done in a month.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    pub(super) deleted: usize,
    pub(super) erased: usize,
    pub(super) held: usize,
    pub(super) decided: usize,
}

impl Year {
    /// Deletes cases of earlier months, and erases, holds and decides on cases of this one.
    pub(super) async fn operate(&mut self) -> anyhow::Result<Done> {
        let anonymous = self.anonymous()?;
        let mut done = Done::default();
        for place in 0..self.cases.len() {
            let (case, fate) = (self.cases[place].id, self.cases[place].fate);
            let is_new = self.cases[place].closed_on == self.clock.day();
            match fate {
                Fate::Deleted if !is_new && !self.cases[place].is_deleted => {
                    let api = anonymous.signed_in(self.cases[place].owner).await?;
                    let status = delete(&api, case).await?;
                    ensure!(status == 200, "case {case} is deleted: status {status}");
                    self.cases[place].is_deleted = true;
                    done.deleted += 1;
                }
                Fate::Erased if is_new => {
                    let Some(item) = to_erase(&self.cases[place]) else { continue };
                    let (case, item_number) = (case.to_string(), item.to_string());
                    self.installation.must(&["erase", &case, "--items", &item_number, "--ground", "request"])?;
                    self.cases[place].erased.insert(item);
                    done.erased += 1;
                }
                Fate::Held if is_new => {
                    self.installation.must(&["hold", "set", &case.to_string(), "--reason", "lawsuit 12/345"])?;
                    self.cases[place].is_held = true;
                    done.held += 1;
                }
                Fate::Decided if is_new => {
                    console::accept(&anonymous, case).await?;
                    self.decided.insert(case);
                    done.decided += 1;
                }
                _ => {}
            }
        }
        Ok(done)
    }

    /// Decisions are still known, and held cases cannot be deleted.
    pub(super) async fn check_decisions_and_holds(&mut self) -> anyhow::Result<()> {
        let anonymous = self.anonymous()?;
        for owner in Owner::ALL {
            let api = anonymous.signed_in(owner).await?;
            let of_owner = self.cases.iter().filter(|case| case.owner == owner);
            let cases: Vec<(i64, bool)> = of_owner.map(|case| (case.id, case.is_held)).collect();
            for (case, is_held) in cases {
                if self.decided.contains(&case) {
                    let decision = api.get(&format!("/v2/cases/{case}/decision")).await?;
                    if decision.json()["outcome"] != "accepted" {
                        self.violate(&format!("the decision on case {case} is lost: status {}", decision.status));
                    }
                }
                if is_held {
                    let status = delete(&api, case).await?;
                    if status != 400 {
                        self.violate(&format!("deleting the held case {case} answers {status}"));
                    }
                }
            }
        }
        Ok(())
    }
}

async fn delete(api: &Api, case: i64) -> anyhow::Result<u16> {
    let path = format!("/cases/delete/{case}");
    let answer = Api::send(api.request(Method::DELETE, &path)).await;
    Ok(answer.ok_or_else(|| anyhow::anyhow!("DELETE {path}: not answered"))?.status)
}
