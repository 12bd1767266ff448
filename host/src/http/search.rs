//! `GET /cases` (spec 4.3).

use axum::{
    extract::{RawQuery, State},
    http::{HeaderName, HeaderValue},
    response::Response,
};

use super::{parts, shared::Shared};
use crate::{
    app::{
        search::{self, FoundCases},
        session::Caller,
    },
    domain::search::Search,
    error::{Error, Result},
};

const TOTAL_COUNT: HeaderName = HeaderName::from_static("x-total-count");
const ARCHIVE_NAME: &str = "cases.zip";

/// The matching cases, or their certificates.
pub(super) async fn search(
    State(shared): State<Shared>,
    caller: Caller,
    RawQuery(query): RawQuery,
) -> Result<Response> {
    let pairs: Vec<(String, String)> =
        url::form_urlencoded::parse(query.unwrap_or_default().as_bytes()).into_owned().collect();
    let requested = Search::read(&pairs).map_err(|problems| Error::Invalid(problems.join(", ")))?;
    let found = search::search(&shared.app, &caller, requested).await?;
    let mut response = match found.cases {
        FoundCases::List(cases) => parts::array(cases).await?,
        FoundCases::Archive(archive) => parts::archive(archive, ARCHIVE_NAME)?,
    };
    response.headers_mut().insert(TOTAL_COUNT, HeaderValue::from(found.total));
    Ok(response)
}
