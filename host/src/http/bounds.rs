//! The limits on one client's use of time and memory, from the settings.

use std::{sync::Arc, time::Duration};

use tokio::sync::Semaphore;

use super::{
    connections::{ConnectionLimits, ConnectionSlots},
    proxies::TrustedProxies,
};
use crate::{
    app::{metrics::Metrics, traffic::Traffic},
    config::Config,
};

/// The memory for JSON bodies of signed-in callers at any time, in KiB.
const BODIES_OF_CALLERS: usize = 64 * 1024;
/// The same for callers that are not signed in.
const BODIES_OF_STRANGERS: usize = 8 * 1024;

/// One instance for the public listener and its router.
#[derive(Debug)]
pub(super) struct Bounds {
    pub(super) proxies: TrustedProxies,
    /// Requests in flight through trusted proxies, by the client that the proxies name.
    pub(super) requests: Arc<ConnectionSlots>,
    pub(super) idle: Duration,
    pub(super) json_time: Duration,
    pub(super) bodies_of_callers: Arc<Semaphore>,
    pub(super) bodies_of_strangers: Arc<Semaphore>,
    pub(super) traffic: Arc<Traffic>,
    pub(super) metrics: Arc<Metrics>,
}

impl Bounds {
    pub(super) fn new(
        config: &Config,
        most: ConnectionLimits,
        traffic: Arc<Traffic>,
        metrics: Arc<Metrics>,
    ) -> Arc<Self> {
        Arc::new(Self {
            proxies: TrustedProxies::new(&config.trusted_proxies),
            // The total is already limited by the number of connections.
            requests: ConnectionSlots::new(ConnectionLimits { total: usize::MAX, ..most }),
            idle: config.http.idle_timeout,
            json_time: config.http.json_timeout,
            bodies_of_callers: Arc::new(Semaphore::new(BODIES_OF_CALLERS)),
            bodies_of_strangers: Arc::new(Semaphore::new(BODIES_OF_STRANGERS)),
            traffic,
            metrics,
        })
    }
}
