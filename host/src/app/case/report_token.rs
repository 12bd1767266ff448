//! Report tokens that a request names (decisions 5): each belongs to the first company family that used it.
//!
//! Whose a token is must not be found out by trying. A company may name tokens of other families a few times a minute. When
//! it has, each of its requests that names a token is refused, whosever it is, until the oldest of them is a minute old.

use super::super::App;
use crate::{
    clock::Timestamp,
    db::{Tx, is_foreign_key_violation},
    domain::{
        id::CompanyId,
        operation::Operation,
        rate_limit::{Admission, Counter, FOREIGN_REPORTS},
        report::ReportToken,
        resource::Kind,
    },
    error::{Error, Result},
    store,
};

/// The tokens that a request names, looked at and not yet judged: [`Self::pass`] has to come before anything is answered.
#[must_use]
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct NamedReports {
    any: bool,
    foreign: bool,
}

impl NamedReports {
    /// Looks whose the tokens are, for the family whose topmost company is `family`.
    pub(in crate::app) async fn look<'t>(
        tx: &mut Tx,
        family: CompanyId,
        tokens: impl IntoIterator<Item = &'t ReportToken>,
    ) -> Result<Self> {
        let mut named = Self { any: false, foreign: false };
        for token in tokens {
            named.any = true;
            named.foreign |= store::report::family_of(tx, token).await?.is_some_and(|owner| owner != family);
        }
        Ok(named)
    }

    /// Refuses the use of another family's token, and counts it. Hold no connection: nodes that share a database count in it.
    pub(in crate::app) async fn pass(self, app: &App, company: CompanyId) -> Result<()> {
        if self.any {
            ensure_budget(app, company)?;
        }
        if self.foreign { Err(spend(app, company, foreign()).await) } else { Ok(()) }
    }
}

/// Refuses to look at a report token for a company that has tried too many of others.
pub(in crate::app) fn ensure_budget(app: &App, company: CompanyId) -> Result<()> {
    let refusal = app.rates.refusal(&Counter::ForeignReports(company), FOREIGN_REPORTS);
    refusal.map_or(Ok(()), |refusal| Err(too_many(refusal)))
}

/// Counts the use of another family's token: what it is answered with is `refusal`, or that there were too many.
pub(in crate::app) async fn spend(app: &App, company: CompanyId, refusal: Error) -> Error {
    match app.rates.admit(Counter::ForeignReports(company), FOREIGN_REPORTS).await {
        Ok(admission) if admission.admitted => refusal,
        Ok(admission) => too_many(admission),
        Err(error) => error,
    }
}

/// Takes a report token for a family, or refuses it if it is another's. The request has passed [`NamedReports::pass`]: only a
/// family that was faster by a moment is noticed here.
pub(in crate::app) async fn claim(tx: &mut Tx, family: CompanyId, token: &ReportToken, now: Timestamp) -> Result<()> {
    match store::report::claim(tx, family, token, now).await {
        Ok(owner) if owner == family => Ok(()),
        Ok(_) => Err(foreign()),
        // It was free, and its family has used it again at this very moment.
        Err(error) if is_foreign_key_violation(&error) => Err(foreign()),
        Err(error) => Err(error.into()),
    }
}

/// The answer is the same for every operation that may name one.
fn foreign() -> Error {
    Operation::CreateCase.foreign(Kind::Report, "the reportToken belongs to another company")
}

fn too_many(admission: Admission) -> Error {
    let Admission { limit, reset, .. } = admission;
    let message = format!("more than {limit} report tokens of other companies in 60 seconds");
    Error::TooMany { message, limit, reset }
}
