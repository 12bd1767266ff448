//! Timeouts for the blob store. A bucket that accepts a connection and does not answer, or a network folder that hangs,
//! reports no error: only a timeout here ends the wait, early enough to answer a request within 10 s.
//!
//! Timeouts limit the time without progress, never the total: a video may take as long as its reader does.

use std::{future::Future, io, time::Duration};

use bytes::Bytes;
use futures_util::{
    StreamExt,
    stream::{self, BoxStream},
};
use object_store::{
    BackoffConfig, ClientConfigKey, RetryConfig,
    aws::{AmazonS3Builder, AmazonS3ConfigKey},
};
use tokio::time::timeout;

/// For a request to a bucket with its retries, for a step in a folder, and between two pieces of a blob.
pub(super) const STEP: Duration = Duration::from_secs(8);
/// For listing a part of an area. No request waits for it.
pub(super) const LISTING: Duration = Duration::from_mins(10);
/// The assumed minimum speed of a disk, in bytes per second: a large file gets more time than [`STEP`].
const SLOWEST_DISK: u64 = 10 * 1024 * 1024;

/// The settings of the S3 client: its name, its variable, our value.
const CLIENT: [(ClientConfigKey, &str, &str); 3] = [
    (ClientConfigKey::ConnectTimeout, "AWS_CONNECT_TIMEOUT", "2s"),
    // Until the answer starts, including sending a part of 5 MiB, and then for each piece of it.
    (ClientConfigKey::ReadTimeout, "AWS_READ_TIMEOUT", "7s"),
    // By default 30 s, which aborts a long video.
    (ClientConfigKey::Timeout, "AWS_TIMEOUT", "1day"),
];
/// How long a request that fails immediately is retried.
const RETRIES: Duration = Duration::from_secs(3);

/// Sets our timeouts, except those that the environment sets.
pub(super) fn client(builder: AmazonS3Builder) -> AmazonS3Builder {
    let unset = CLIENT.into_iter().filter(|(_, variable, _)| std::env::var_os(variable).is_none());
    let builder =
        unset.fold(builder, |builder, (key, _, value)| builder.with_config(AmazonS3ConfigKey::Client(key), value));
    let backoff = BackoffConfig { max_backoff: Duration::from_secs(1), ..BackoffConfig::default() };
    builder.with_retry(RetryConfig { backoff, max_retries: 10, retry_timeout: RETRIES })
}

/// The limit for a step that makes `bytes` bytes durable.
pub(super) fn for_bytes(bytes: u64) -> Duration {
    STEP + Duration::from_millis(bytes.saturating_mul(1_000) / SLOWEST_DISK)
}

/// Waits for `work` no longer than `limit`.
pub(super) async fn in_time<T>(
    limit: Duration,
    work: impl Future<Output = object_store::Result<T>>,
) -> object_store::Result<T> {
    timeout(limit, work).await.unwrap_or_else(|_| Err(no_answer(limit)))
}

/// The bytes, each piece within [`STEP`]. The time before the reader requests the next piece does not count.
pub(super) fn steady(bytes: BoxStream<'static, io::Result<Bytes>>) -> BoxStream<'static, io::Result<Bytes>> {
    steady_within(STEP, bytes)
}

fn steady_within(
    limit: Duration,
    bytes: BoxStream<'static, io::Result<Bytes>>,
) -> BoxStream<'static, io::Result<Bytes>> {
    stream::unfold(Some(bytes), move |bytes| async move {
        let mut bytes = bytes?;
        match timeout(limit, bytes.next()).await {
            Ok(piece) => piece.map(|piece| (piece, Some(bytes))),
            Err(_) => Some((Err(io::Error::other(no_answer(limit))), None)),
        }
    })
    .boxed()
}

pub(super) fn no_answer(limit: Duration) -> object_store::Error {
    let cause = io::Error::new(io::ErrorKind::TimedOut, format!("no answer within {limit:?}"));
    object_store::Error::Generic { store: "blob store", source: Box::new(cause) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_stream_that_stops_ends_with_an_error() {
        let pieces = stream::iter([Ok(Bytes::from_static(b"a"))]).chain(stream::pending());
        let mut bytes = steady_within(Duration::from_millis(20), pieces.boxed());
        assert_eq!(bytes.next().await.unwrap().unwrap(), "a");
        let error = bytes.next().await.unwrap().unwrap_err();
        let store = error.get_ref().unwrap().downcast_ref::<object_store::Error>();
        assert!(matches!(store, Some(object_store::Error::Generic { .. })), "{error}");
        assert!(bytes.next().await.is_none());
    }

    #[test]
    fn large_files_get_more_time() {
        assert_eq!(for_bytes(0), STEP);
        assert_eq!(for_bytes(500 * 1024 * 1024), STEP + Duration::from_secs(50));
    }
}
