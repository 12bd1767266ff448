//! Which failures are temporary: a part of the machine is unavailable, slow or full. The same work can succeed later,
//! so it is retried, and its input is not to blame.

use std::{error::Error as StdError, io, sync::Arc};

const DATABASE: &str = "database";
const BLOB_STORE: &str = "blob store";
const DESCRIPTORS: &str = "file descriptors";
const DISK: &str = "disk";
const MEMORY: &str = "memory";
const NETWORK: &str = "network";

/// The unavailable part that is the cause, if there is one.
pub(super) fn unavailable_part(cause: &anyhow::Error) -> Option<&'static str> {
    let parts: Vec<&'static str> = cause.chain().filter_map(of).collect();
    // A process without descriptors fails in any part that opens a file, so that part is not the cause.
    parts.iter().copied().find(|part| *part == DESCRIPTORS).or_else(|| parts.first().copied())
}

fn of(error: &(dyn StdError + 'static)) -> Option<&'static str> {
    let shared = || error.downcast_ref::<Arc<super::Error>>().map(Arc::as_ref);
    if let Some(error) = error.downcast_ref::<super::Error>().or_else(shared) {
        return match error {
            super::Error::Unavailable { part, .. } => Some(part),
            super::Error::Internal(cause) => unavailable_part(cause),
            _ => None,
        };
    }
    if let Some(error) = error.downcast_ref::<sqlx::Error>() {
        return is_temporary_of_database(error).then_some(DATABASE);
    }
    if let Some(error) = error.downcast_ref::<object_store::Error>() {
        return is_temporary_of_store(error).then_some(BLOB_STORE);
    }
    error.downcast_ref::<io::Error>().and_then(of_system)
}

fn is_temporary_of_database(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed
        | sqlx::Error::BeginFailed => true,
        sqlx::Error::Database(error) => error.code().is_some_and(|code| is_temporary_code(&code)),
        _ => false,
    }
}

/// PostgreSQL's codes have five characters, SQLite's are numbers of at most four digits.
fn is_temporary_code(code: &str) -> bool {
    if code.len() == 5 {
        // 08 connection, 53 resources, 57 intervention of the operator, timeouts of statements included.
        let classes = ["08", "53", "57"];
        // Serialization, deadlock, lock timeout, timed-out sessions and transactions, a node that is read-only because
        // another took over, and an I/O error.
        let codes = ["40001", "40P01", "55P03", "25P03", "25P04", "25006", "58030"];
        return classes.iter().any(|class| code.starts_with(class)) || codes.contains(&code);
    }
    // The primary code is the lowest byte: BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, FULL, CANTOPEN, PROTOCOL.
    code.parse::<u32>().is_ok_and(|code| matches!(code & 0xff, 5..=10 | 13..=15))
}

fn is_temporary_of_store(error: &object_store::Error) -> bool {
    use object_store::Error::{
        AlreadyExists, InvalidPath, NotFound, NotImplemented, NotModified, NotSupported, Precondition,
        UnknownConfigurationKey,
    };
    !matches!(
        error,
        NotFound { .. }
            | AlreadyExists { .. }
            | Precondition { .. }
            | NotModified { .. }
            | InvalidPath { .. }
            | NotSupported { .. }
            | NotImplemented { .. }
            | UnknownConfigurationKey { .. }
    )
}

fn of_system(error: &io::Error) -> Option<&'static str> {
    // The error that `io::Error::other` wraps is not in the chain of sources; only its source is.
    if let Some(wrapped) = error.get_ref()
        && let Some(part) = of(wrapped)
    {
        return Some(part);
    }
    match error.raw_os_error() {
        Some(libc::EMFILE | libc::ENFILE) => return Some(DESCRIPTORS),
        Some(libc::ENOSPC | libc::EDQUOT | libc::EIO | libc::EROFS | libc::EACCES | libc::EPERM | libc::ESTALE) => {
            return Some(DISK);
        }
        // Starting a process without enough memory or processes fails with EAGAIN.
        Some(libc::ENOMEM | libc::EAGAIN) => return Some(MEMORY),
        _ => {}
    }
    match error.kind() {
        io::ErrorKind::OutOfMemory => Some(MEMORY),
        io::ErrorKind::StorageFull | io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => Some(DISK),
        io::ErrorKind::ConnectionRefused
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::NotConnected
        | io::ErrorKind::HostUnreachable
        | io::ErrorKind::NetworkUnreachable
        | io::ErrorKind::NetworkDown
        | io::ErrorKind::TimedOut => Some(NETWORK),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::{super::Error, *};

    fn part(error: Error) -> Option<&'static str> {
        match error {
            Error::Unavailable { part, .. } => Some(part),
            Error::Internal(_) => None,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_part_is_named_wherever_it_is_in_the_chain() {
        let full = || io::Error::from_raw_os_error(libc::ENOSPC);
        let descriptors = || io::Error::from_raw_os_error(libc::EMFILE);
        let store = |source: io::Error| object_store::Error::Generic { store: "S3", source: Box::new(source) };
        assert_eq!(part(full().into()), Some(DISK));
        assert_eq!(part(anyhow::Error::new(full()).context("writing a file").into()), Some(DISK));
        assert_eq!(part(Error::internal(io::Error::other(store(full())))), Some(BLOB_STORE));
        assert_eq!(part(anyhow::Error::new(store(descriptors())).context("reading").into()), Some(DESCRIPTORS));
        assert_eq!(part(sqlx::Error::PoolTimedOut.into()), Some(DATABASE));
        assert_eq!(part(sqlx::Error::Io(descriptors()).into()), Some(DESCRIPTORS));
        let again = anyhow::Error::new(Error::from(sqlx::Error::PoolClosed));
        assert_eq!(part(Error::from(again)), Some(DATABASE));
        let shared = anyhow::Error::new(Arc::new(Error::from(sqlx::Error::PoolClosed))).context("counting");
        assert_eq!(part(Error::internal(shared)), Some(DATABASE));
        let hidden = Error::Internal(anyhow::Error::new(sqlx::Error::WorkerCrashed));
        assert!(hidden.is_temporary());
    }

    #[test]
    fn a_permanent_failure_is_internal() {
        let missing = || io::Error::from(io::ErrorKind::NotFound);
        let not_found = object_store::Error::NotFound { path: "a".into(), source: Box::new(missing()) };
        for error in [
            Error::from(missing()),
            Error::from(sqlx::Error::RowNotFound),
            Error::internal(not_found),
            Error::internal(anyhow!("a template does not compile")),
        ] {
            assert!(!error.is_temporary(), "{error}");
            assert_eq!(part(error), None);
        }
        assert!(!Error::state("case already closed").is_temporary());
        assert!(Error::NotReady { message: String::new(), retry_after_seconds: 1 }.is_temporary());
    }

    #[test]
    fn codes_of_both_databases_are_read() {
        for code in
            ["08006", "53300", "57P01", "57014", "40001", "40P01", "55P03", "25P03", "5", "6", "13", "10", "522"]
        {
            assert!(is_temporary_code(code), "{code}");
        }
        for code in ["23505", "42601", "22P02", "1", "19", "2067", "1555", ""] {
            assert!(!is_temporary_code(code), "{code}");
        }
    }
}
