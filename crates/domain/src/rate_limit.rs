//! Rate limits (spec 8, decisions 11): what is counted together, and a rolling window of 60 seconds that keeps the exact
//! times of admitted requests. Estimates with two buckets or a leaking one admit almost twice the limit within a
//! window.

use std::{collections::VecDeque, fmt, time::Duration};

use sealwright_base::clock::Timestamp;
use sha2::{Digest, Sha256};

use super::{client_address::ClientAddress, id::CompanyId, operation::Operation};

pub const WINDOW: Duration = Duration::from_mins(1);
/// How often in a window a company may name a report token of another family (decisions 5). A misconfigured program
/// notices with the first one.
pub const FOREIGN_REPORTS: u32 = 20;
/// The [quota](Counter::quota) of those uses.
pub const FOREIGN_REPORTS_QUOTA: &str = "foreign-report-token";

/// What is counted together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Counter {
    Company(Operation, CompanyId),
    /// A public resource that exists, by its access key.
    AccessKey(Operation, String),
    /// Every request of an operation that names nothing known.
    Unknown(Operation),
    /// Uses of report tokens that belong to another family.
    ForeignReports(CompanyId),
    /// Sign-ins of a client that failed, by the SHA-256 of the username, known or not (decisions 11).
    FailedSignIn(ClientAddress, String),
    /// What one client asks of a public operation that takes no key.
    Client(Operation, ClientAddress),
    /// What one client reads of the log of seals.
    LogReader(ClientAddress),
    /// What one client reads of the files of pages.
    PageFile(ClientAddress),
    /// How often one client loads the page that checks certificates in a browser.
    VerifyPage(ClientAddress),
    /// What one client asks of the console.
    Console(ClientAddress),
    /// Tests and samples that users of the console ask for, for a company.
    ConsoleTrial(CompanyId),
    /// Unknown keys of one client that were looked up although [`Counter::Unknown`] was full.
    Guesses(Operation, ClientAddress),
}

impl Counter {
    pub fn failed_sign_in(username: &str, client: ClientAddress) -> Self {
        // A username may be long, and does not belong in a table of counters.
        Self::FailedSignIn(client, hex::encode(Sha256::digest(username)))
    }

    /// Whether nodes count together. Counters that only protect this process are local, and cost the database nothing.
    pub fn is_shared(&self) -> bool {
        !matches!(
            self,
            Self::Client(..)
                | Self::LogReader(_)
                | Self::PageFile(_)
                | Self::VerifyPage(_)
                | Self::Console(_)
                | Self::ConsoleTrial(_)
                | Self::Guesses(..)
        )
    }

    /// What the counter limits, without naming a company, a client or a key: a label of a metric.
    pub const fn quota(&self) -> &'static str {
        match self {
            Self::Company(..) => "company",
            Self::AccessKey(..) => "access-key",
            Self::Unknown(_) => "unknown-key",
            Self::ForeignReports(_) => FOREIGN_REPORTS_QUOTA,
            Self::FailedSignIn(..) => "failed-sign-in",
            Self::Client(..) => "client",
            Self::LogReader(_) => "log-reader",
            Self::PageFile(_) => "page-file",
            Self::VerifyPage(_) => "verify-page",
            Self::Console(_) => "console",
            Self::ConsoleTrial(_) => "console-trial",
            Self::Guesses(..) => "guesses",
        }
    }
}

/// Names the counter among nodes, which may be of different versions: operations by `METHOD /path`.
impl fmt::Display for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Company(operation, company) => write!(f, "{} company {company}", operation.properties().key()),
            Self::AccessKey(operation, key) => write!(f, "{} key {key}", operation.properties().key()),
            Self::Unknown(operation) => write!(f, "{} unknown", operation.properties().key()),
            Self::ForeignReports(company) => write!(f, "foreign report tokens, company {company}"),
            Self::FailedSignIn(client, user) => write!(f, "failed sign-in {client} {user}"),
            Self::Client(operation, client) => write!(f, "{} client {client}", operation.properties().key()),
            Self::LogReader(client) => write!(f, "log client {client}"),
            Self::PageFile(client) => write!(f, "page file client {client}"),
            Self::VerifyPage(client) => write!(f, "page for checks, client {client}"),
            Self::Console(client) => write!(f, "console client {client}"),
            Self::ConsoleTrial(company) => write!(f, "console trials, company {company}"),
            Self::Guesses(operation, client) => write!(f, "{} guesses {client}", operation.properties().key()),
        }
    }
}

/// Whether a request is admitted, and the values of its `X-RateLimit-*` headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Admission {
    pub admitted: bool,
    pub limit: u32,
    pub remaining: u32,
    /// Until the oldest counted request leaves the window.
    pub reset: Duration,
}

impl Admission {
    /// Seconds until the oldest counted request leaves the window, rounded up: waiting that long is enough.
    pub fn reset_seconds(self) -> u64 {
        self.reset.as_millis().div_ceil(1000).try_into().unwrap_or(u64::MAX)
    }
}

/// The times of admitted requests, oldest first. Limits are at most a few hundred, raised ones thousands.
#[derive(Clone, Debug, Default)]
pub struct Window(VecDeque<Timestamp>);

impl Window {
    /// The refusal that a request would get now if it is one too many. It is not counted.
    pub fn refusal(&self, limit: u32, now: Timestamp) -> Option<Admission> {
        let oldest = self.0.partition_point(|moment| moment.after(WINDOW) <= now);
        let used = u32::try_from(self.0.len() - oldest).unwrap_or(u32::MAX);
        let reset = self.0.get(oldest)?.after(WINDOW).since(now);
        (used >= limit).then_some(Admission { admitted: false, limit, remaining: 0, reset })
    }

    /// Counts a request unless `limit` requests were admitted in the 60 seconds before it. A refused one is not
    /// counted.
    pub fn admit(&mut self, limit: u32, now: Timestamp) -> Admission {
        let used = self.used(now);
        let admitted = used < limit;
        if admitted {
            self.0.push_back(now);
        }
        self.admission(admitted, used, limit, now)
    }

    fn used(&mut self, now: Timestamp) -> u32 {
        while self.0.front().is_some_and(|first| first.after(WINDOW) <= now) {
            self.0.pop_front();
        }
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    fn admission(&self, admitted: bool, used: u32, limit: u32, now: Timestamp) -> Admission {
        let oldest = self.0.front().copied().unwrap_or(now);
        let reset = oldest.after(WINDOW).as_millis() - now.as_millis();
        Admission {
            admitted,
            limit,
            remaining: limit.saturating_sub(used.saturating_add(u32::from(admitted))),
            reset: Duration::from_millis(u64::try_from(reset).unwrap_or(0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::from_millis(1_000_000);

    #[test]
    fn spec_8_rule_1_the_window_rolls() {
        let (mut window, mut now) = (Window::default(), START);
        for used in 1..=5 {
            let admission = window.admit(5, now);
            assert!(admission.admitted);
            assert_eq!(admission.remaining, 5 - used);
            now = now.after(Duration::from_secs(10));
        }
        // 50 s after the first: refused, and the first leaves the window in 10 s.
        let refused = window.admit(5, now);
        assert!(!refused.admitted);
        assert_eq!((window.refusal(5, now), window.refusal(6, now)), (Some(refused), None));
        assert_eq!((refused.remaining, refused.reset_seconds()), (0, 10));
        now = now.after(Duration::from_millis(9_999));
        assert!(!window.admit(5, now).admitted);
        now = now.after(Duration::from_millis(1));
        assert!(window.admit(5, now).admitted, "exactly 60 s after the first");
        assert!(!window.admit(5, now).admitted, "the second is still in the window");
    }

    #[test]
    fn a_refusal_is_known_before_a_request_is_counted() {
        let mut window = Window::default();
        assert_eq!(window.refusal(2, START), None);
        window.admit(2, START);
        assert_eq!(window.refusal(2, START), None);
        window.admit(2, START.after(Duration::from_secs(1)));
        let later = START.after(Duration::from_secs(10));
        assert_eq!(window.refusal(2, later), Some(window.admit(2, later)));
        assert_eq!(window.refusal(2, START.after(WINDOW)), None);
    }

    #[test]
    fn a_counter_s_name_is_unique() {
        let company = Counter::Company(Operation::SearchCases, CompanyId::new(7).unwrap());
        let key = Counter::AccessKey(Operation::ReadImage, "company 7".to_owned());
        let reports = Counter::ForeignReports(CompanyId::new(7).unwrap());
        let names = [company, key, Counter::Unknown(Operation::ReadImage), reports].map(|counter| counter.to_string());
        assert_eq!(
            names,
            [
                "GET /cases company 7",
                "GET /images/:imageUrl key company 7",
                "GET /images/:imageUrl unknown",
                "foreign report tokens, company 7"
            ]
        );
    }

    /// Ten million decisions of ten counters, against a complete log that is searched each time.
    #[test]
    fn ten_million_decisions_are_those_of_a_full_log() {
        const LIMITS: [u32; 10] = [1, 2, 5, 10, 25, 60, 100, 180, 200, 500];
        for (seed, limit) in (1_u64..).zip(LIMITS) {
            let (mut window, mut log) = (Window::default(), FullLog::default());
            let (mut random, mut now) = (seed, START);
            // Around the rate at which the limit is just reached, with bursts within a millisecond and long pauses.
            let usual_gap = 120_000 / u64::from(limit);
            for _ in 0..1_000_000 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let (choice, amount) = ((random >> 59), (random >> 20) & 0xffff_ffff);
                let gap = match choice {
                    0..=9 => 0,
                    10..=12 => 1,
                    13 => amount % 90_000,
                    14 => 60_000 - amount % 3,
                    _ => amount % (usual_gap + 1),
                };
                now = now.after(Duration::from_millis(gap));
                let (admission, expected) = (window.admit(limit, now), log.decide(limit, now.as_millis()));
                let decided =
                    (admission.admitted, admission.remaining, i64::try_from(admission.reset.as_millis()).unwrap());
                assert_eq!(decided, expected, "limit {limit} at {now}");
            }
        }
    }

    /// Every request that was ever admitted, in milliseconds.
    #[derive(Default)]
    struct FullLog(Vec<i64>);

    impl FullLog {
        /// Whether a request is admitted, how many more would be, and how long until the oldest leaves.
        fn decide(&mut self, limit: u32, now: i64) -> (bool, u32, i64) {
            let gone = self.0.partition_point(|at| now - at >= 60_000);
            let limit = usize::try_from(limit).unwrap();
            let admitted = self.0.len() - gone < limit;
            if admitted {
                self.0.push(now);
            }
            let left = limit - (self.0.len() - gone);
            let oldest = self.0.get(gone).copied().expect("a limit of one or more has admitted one");
            (admitted, u32::try_from(left).unwrap(), oldest + 60_000 - now)
        }
    }
}
