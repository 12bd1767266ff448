//! The provider's metadata and keys, as they were fetched last.

use std::time::Duration;

use openidconnect::{DiscoveryError, IssuerUrl};

use super::{
    error::{OpenIdError, with_causes},
    metadata::Metadata,
    transport::{Transport, TransportError},
};
use crate::clock::{Clock, Timestamp};

/// After this time the provider is asked again. A key that it has withdrawn is believed no longer than this.
const FRESH: Duration = Duration::from_hours(1);
/// How long a failure is remembered: everyone who waits for the same answer gets it at once.
const PAUSE: Duration = Duration::from_secs(5);
/// The shortest time between two fetches of the keys because of a token that no known key verifies.
const RENEWAL: Duration = Duration::from_secs(10);

/// All times are of the steady clock.
#[derive(Default)]
pub(super) struct Known {
    metadata: Option<(Timestamp, Metadata)>,
    failure: Option<(Timestamp, OpenIdError)>,
    renewed_at: Option<Timestamp>,
}

impl Known {
    /// The metadata, fetched if it is not fresh.
    pub(super) async fn current(
        &mut self,
        issuer: &IssuerUrl,
        transport: &Transport,
        clock: &Clock,
    ) -> Result<Metadata, OpenIdError> {
        let now = clock.steady();
        if let Some((fetched_at, metadata)) = &self.metadata
            && now < fetched_at.after(FRESH)
        {
            return Ok(metadata.clone());
        }
        if let Some((failed_at, error)) = &self.failure
            && now < failed_at.after(PAUSE)
        {
            return Err(error.clone());
        }
        self.fetch(issuer, transport, clock).await
    }

    /// The metadata, fetched again unless that was done a short while ago.
    pub(super) async fn renewed(
        &mut self,
        issuer: &IssuerUrl,
        transport: &Transport,
        clock: &Clock,
    ) -> Result<Metadata, OpenIdError> {
        let now = clock.steady();
        if self.renewed_at.is_some_and(|renewed_at| now < renewed_at.after(RENEWAL)) {
            return self.current(issuer, transport, clock).await;
        }
        self.renewed_at = Some(now);
        self.fetch(issuer, transport, clock).await
    }

    async fn fetch(
        &mut self,
        issuer: &IssuerUrl,
        transport: &Transport,
        clock: &Clock,
    ) -> Result<Metadata, OpenIdError> {
        let fetched = Metadata::discover_async(issuer.clone(), transport).await;
        let now = clock.steady();
        match fetched.map_err(|error| unavailable(&error)) {
            Ok(metadata) => {
                self.metadata = Some((now, metadata.clone()));
                self.failure = None;
                Ok(metadata)
            }
            Err(error) => {
                self.failure = Some((now, error.clone()));
                Err(error)
            }
        }
    }
}

fn unavailable(error: &DiscoveryError<TransportError>) -> OpenIdError {
    OpenIdError::Unavailable(format!("its metadata: {}", with_causes(error)))
}
