//! Report tokens that a request names (decisions 5): each belongs to the first company family that used it.
//!
//! It must not be possible to find out the owner of a token by trying. A company may name tokens of other families a
//! few times a minute. After that, all its requests that name a token are rejected, even for its own tokens, until the
//! oldest of those attempts is a minute old.

use super::super::App;
use crate::{
    clock::Timestamp,
    db::{Reader, Tx, is_foreign_key_violation},
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

/// The tokens that a request names, looked up but not yet judged: call [`Self::pass`] before any response.
#[must_use]
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct NamedReports {
    any: bool,
    foreign: bool,
}

impl NamedReports {
    /// Looks up the owners of the tokens, for the family whose topmost company is `family`.
    pub(in crate::app) async fn look<'t>(
        reader: &mut Reader,
        family: CompanyId,
        tokens: impl IntoIterator<Item = &'t ReportToken>,
    ) -> Result<Self> {
        let mut named = Self { any: false, foreign: false };
        for token in tokens {
            named.any = true;
            named.foreign |= store::report::family_of(reader, token).await?.is_some_and(|owner| owner != family);
        }
        Ok(named)
    }

    /// Rejects and counts the use of another family's token. Hold no connection: the count may be in the database.
    pub(in crate::app) async fn pass(self, app: &App, company: CompanyId) -> Result<()> {
        if self.any {
            ensure_budget(app, company)?;
        }
        if self.foreign { Err(spend(app, company, foreign()).await) } else { Ok(()) }
    }
}

/// Rejects a company's request if the company has tried too many tokens of other families.
pub(in crate::app) fn ensure_budget(app: &App, company: CompanyId) -> Result<()> {
    let refusal = app.rates.refusal(&Counter::ForeignReports(company), FOREIGN_REPORTS);
    refusal.map_or(Ok(()), |refusal| Err(too_many(refusal)))
}

/// Counts the use of another family's token. Returns `refusal`, or an error if there were too many uses.
pub(in crate::app) async fn spend(app: &App, company: CompanyId, refusal: Error) -> Error {
    match app.rates.admit(Counter::ForeignReports(company), FOREIGN_REPORTS).await {
        Ok(admission) if admission.admitted => refusal,
        Ok(admission) => too_many(admission),
        Err(error) => error,
    }
}

/// Claims a report token for a family, or rejects it if it belongs to another. The request has passed
/// [`NamedReports::pass`], so this detects only a family that was a moment faster.
pub(in crate::app) async fn claim(tx: &mut Tx, family: CompanyId, token: &ReportToken, now: Timestamp) -> Result<()> {
    match store::report::claim(tx, family, token, now).await {
        Ok(owner) if owner == family => Ok(()),
        Ok(_) => Err(foreign()),
        // It was free, and its former family has just used it again.
        Err(error) if is_foreign_key_violation(&error) => Err(foreign()),
        Err(error) => Err(error.into()),
    }
}

/// The answer is the same for every operation that may name one.
fn foreign() -> Error {
    Operation::CreateCase.foreign(Kind::Report, "the reportToken belongs to another company").into()
}

fn too_many(admission: Admission) -> Error {
    let Admission { limit, reset, .. } = admission;
    let message = format!("more than {limit} report tokens of other companies in 60 seconds");
    Error::TooMany { message, limit, reset }
}
