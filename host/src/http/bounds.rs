//! The limits on one client's use of time and memory, from the settings.

use std::{sync::Arc, time::Duration};

use super::{
    connections::{ConnectionLimits, ConnectionSlots},
    proxies::TrustedProxies,
};
use crate::{
    app::{metrics::Metrics, traffic::Traffic},
    config::Config,
};

/// One instance for the public listener and its router.
#[derive(Debug)]
pub(super) struct Bounds {
    pub(super) proxies: TrustedProxies,
    /// Requests in flight through trusted proxies, by the client that the proxies name.
    pub(super) requests: Arc<ConnectionSlots>,
    pub(super) idle: Duration,
    pub(super) json_time: Duration,
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
            traffic,
            metrics,
        })
    }
}
