//! What one client may take of the server's time and memory, as the settings say.

use std::{sync::Arc, time::Duration};

use tokio::sync::Semaphore;

use super::{
    connections::{Most, Places},
    proxies::TrustedProxies,
};
use crate::{app::traffic::Traffic, config::Config};

/// What the JSON bodies of signed-in callers may take of the memory at once, in KiB.
const BODIES_OF_CALLERS: usize = 64 * 1024;
/// The same for those who are not signed in.
const BODIES_OF_STRANGERS: usize = 8 * 1024;

/// One for the public listener and its router.
#[derive(Debug)]
pub(super) struct Bounds {
    pub(super) proxies: TrustedProxies,
    /// Requests in flight through trusted proxies, by the client that these name.
    pub(super) requests: Arc<Places>,
    pub(super) idle: Duration,
    pub(super) json_time: Duration,
    pub(super) bodies_of_callers: Arc<Semaphore>,
    pub(super) bodies_of_strangers: Arc<Semaphore>,
    pub(super) traffic: Arc<Traffic>,
}

impl Bounds {
    pub(super) fn new(config: &Config, most: Most, traffic: Arc<Traffic>) -> Arc<Self> {
        Arc::new(Self {
            proxies: TrustedProxies::new(&config.trusted_proxies),
            // In all there are as many as there are connections.
            requests: Places::new(Most { in_all: usize::MAX, ..most }),
            idle: config.http.idle_timeout,
            json_time: config.http.json_timeout,
            bodies_of_callers: Arc::new(Semaphore::new(BODIES_OF_CALLERS)),
            bodies_of_strangers: Arc::new(Semaphore::new(BODIES_OF_STRANGERS)),
            traffic,
        })
    }
}
