//! Cases as shown in lists, read part by part, so that a list of any length takes little memory.

use std::sync::Arc;

use futures_util::{
    StreamExt,
    stream::{self, BoxStream},
};

use super::{App, case::certificate_url};
use crate::{
    error::Result,
    store::{
        certificate::CertificateState,
        overview::{CaseOverview, Place},
    },
};

/// Parts of a list, each of a few hundred elements.
pub type Parts<T> = BoxStream<'static, Result<Vec<T>>>;

/// Reads from `place` on, calling `read` for each part of at most `size` cases, until a part is not full.
pub(super) fn in_parts<R, F>(app: &Arc<App>, size: i64, place: Place, read: R) -> Parts<CaseOverview>
where
    R: Fn(Arc<App>, Place, i64) -> F + Send + 'static,
    F: Future<Output = sqlx::Result<Vec<CaseOverview>>> + Send + 'static,
{
    let app = Arc::clone(app);
    let parts = stream::try_unfold((read, Some(place)), move |(read, place)| {
        let app = Arc::clone(&app);
        async move {
            let Some(place) = place else { return Ok(None) };
            let part = read(app, place, size).await?;
            let is_full = part.len() == usize::try_from(size).unwrap_or(usize::MAX);
            let next = part.last().filter(|_| is_full).map(Place::behind);
            Ok(Some((part, (read, next))))
        }
    });
    parts.boxed()
}

/// Where the certificate of a closed case is served; none if it could not be made (decisions 2, 5).
pub(super) fn case_url(app: &App, case: &CaseOverview) -> Option<String> {
    let closed = case.closed.as_ref().filter(|closed| closed.certificate != CertificateState::Failed)?;
    Some(certificate_url(app, &closed.share_token))
}
