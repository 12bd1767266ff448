//! The result of a check in the terms of EN 319 102-1: a main indication and its sub-indications.
//!
//! The command line, the pages and the report have one verdict: exit code 0 is `TOTAL-PASSED`, 1 is `TOTAL-FAILED`, 2 is
//! `INDETERMINATE`.

use sealwright_seal::verify::{Fault, FindingCode, Outcome, Report, Severity, State, TokenState};

/// The status of a signature or a time stamp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Status {
    pub(super) main: Main,
    /// None if it passed, else at least one.
    pub(super) sub: Vec<SubIndication>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Main {
    Passed,
    Failed,
    Indeterminate,
}

/// The sub-indications of EN 319 102-1 that a check of a certificate can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SubIndication {
    FormatFailure,
    HashFailure,
    SigCryptoFailure,
    ChainConstraintsFailure,
    NoCertificateChainFound,
    OutOfBoundsNoPoe,
    RevokedNoPoe,
    TimestampOrderFailure,
}

impl SubIndication {
    /// Its URI (TS 119 102-2, clause 4.3.4.3).
    pub(super) const fn uri(self) -> &'static str {
        match self {
            Self::FormatFailure => "urn:etsi:019102:subindication:FORMAT_FAILURE",
            Self::HashFailure => "urn:etsi:019102:subindication:HASH_FAILURE",
            Self::SigCryptoFailure => "urn:etsi:019102:subindication:SIG_CRYPTO_FAILURE",
            Self::ChainConstraintsFailure => "urn:etsi:019102:subindication:CHAIN_CONSTRAINTS_FAILURE",
            Self::NoCertificateChainFound => "urn:etsi:019102:subindication:NO_CERTIFICATE_CHAIN_FOUND",
            Self::OutOfBoundsNoPoe => "urn:etsi:019102:subindication:OUT_OF_BOUNDS_NO_POE",
            Self::RevokedNoPoe => "urn:etsi:019102:subindication:REVOKED_NO_POE",
            Self::TimestampOrderFailure => "urn:etsi:019102:subindication:TIMESTAMP_ORDER_FAILURE",
        }
    }
}

impl From<Fault> for SubIndication {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Form => Self::FormatFailure,
            Fault::Content => Self::HashFailure,
            Fault::Value => Self::SigCryptoFailure,
            Fault::NoChain => Self::NoCertificateChainFound,
            Fault::NotValidThen => Self::OutOfBoundsNoPoe,
            Fault::ChainRules => Self::ChainConstraintsFailure,
            Fault::Revoked => Self::RevokedNoPoe,
            Fault::Future => Self::TimestampOrderFailure,
        }
    }
}

impl Main {
    /// Its URI for a signature (TS 119 102-2, clause 4.3.4.2).
    pub(super) const fn of_signature(self) -> &'static str {
        match self {
            Self::Passed => "urn:etsi:019102:mainindication:total-passed",
            Self::Failed => "urn:etsi:019102:mainindication:total-failed",
            Self::Indeterminate => "urn:etsi:019102:mainindication:indeterminate",
        }
    }

    /// Its URI for a time stamp, which is a validation object.
    pub(super) const fn of_object(self) -> &'static str {
        match self {
            Self::Passed => "urn:etsi:019102:mainindication:passed",
            Self::Failed => "urn:etsi:019102:mainindication:failed",
            Self::Indeterminate => "urn:etsi:019102:mainindication:indeterminate",
        }
    }
}

impl Status {
    /// The status of the certificate's signature, with everything that the signature covers: the outcome.
    pub(super) fn of_report(report: &Report) -> Self {
        let (main, severity) = match report.outcome {
            Outcome::Valid => return Self { main: Main::Passed, sub: Vec::new() },
            Outcome::ChangedOrNotOurs => (Main::Failed, Severity::Changed),
            Outcome::IntactButUntrusted => (Main::Indeterminate, Severity::Untrusted),
        };
        let deciding = report.findings.iter().filter(|finding| finding.severity == severity);
        let mut sub = Vec::new();
        for indication in deciding.flat_map(|finding| of_finding(finding.code, main, report)) {
            if !sub.contains(&indication) {
                sub.push(indication);
            }
        }
        Self { main, sub }
    }

    pub(super) fn of_time_stamp(state: State, fault: Option<Fault>) -> Self {
        let main = match state {
            State::Trusted => return Self { main: Main::Passed, sub: Vec::new() },
            State::Untrusted => Main::Indeterminate,
            State::Broken => Main::Failed,
        };
        Self { main, sub: vec![fault.map_or(by_default(main), SubIndication::from)] }
    }

    pub(super) fn of_token(state: &TokenState, fault: Option<Fault>) -> Self {
        Self::of_time_stamp(state_of(state), fault)
    }
}

/// The one table: which sub-indications a finding gives. A finding about the signature or about time stamps gives those of
/// the ones in that state.
fn of_finding(code: FindingCode, main: Main, report: &Report) -> Vec<SubIndication> {
    let state = if main == Main::Failed { State::Broken } else { State::Untrusted };
    let faults: Vec<Option<Fault>> = match code {
        FindingCode::Signature => report.signature.iter().map(|facts| facts.fault).collect(),
        FindingCode::TimeStamp | FindingCode::FutureTime => {
            report.time_stamps.iter().filter(|facts| facts.state == state).map(|facts| facts.fault).collect()
        }
        FindingCode::Token => {
            let of_manifest = report.manifest.iter().map(|facts| (&facts.token, facts.token_check));
            let of_items = report.items.iter().map(|facts| (&facts.token, facts.token_check));
            let tokens = of_manifest.chain(of_items).filter(|(token, _)| state_of(token) == state);
            tokens.map(|(_, check)| check.and_then(|check| check.fault)).collect()
        }
        FindingCode::Package => {
            let stamps = report.package.iter().map(|package| &package.time_stamp);
            let of_stamp = stamps.filter(|stamp| stamp.state == state).map(|stamp| stamp.fault).next();
            // If it is not the time stamp, a file is not the one that was packed, or a token is not trusted.
            let of_file = Some(if main == Main::Failed { Fault::Content } else { Fault::NoChain });
            vec![of_stamp.unwrap_or(of_file)]
        }
        // The file is not what the standards and this program's rules for certificates require.
        FindingCode::Unreadable
        | FindingCode::NotSigned
        | FindingCode::Coverage
        | FindingCode::Addition
        | FindingCode::Manifest
        | FindingCode::Pages => vec![Some(Fault::Form)],
        // Something is not what was sealed.
        FindingCode::Commitments
        | FindingCode::Captures
        | FindingCode::Log
        | FindingCode::Embedded
        | FindingCode::Original
        | FindingCode::Disclosure => vec![Some(Fault::Content)],
        FindingCode::Evidence if main == Main::Failed => vec![Some(Fault::Content)],
        // No trusted authority vouches for it any more.
        FindingCode::Evidence => vec![Some(Fault::NoChain)],
        // Notices, which decide nothing.
        FindingCode::Development | FindingCode::TimePending | FindingCode::RenewalOverdue | FindingCode::Revocation => {
            Vec::new()
        }
    };
    if faults.is_empty() {
        return vec![by_default(main)];
    }
    faults.into_iter().map(|fault| fault.map_or(by_default(main), SubIndication::from)).collect()
}

const fn by_default(main: Main) -> SubIndication {
    match main {
        Main::Passed | Main::Failed => SubIndication::FormatFailure,
        Main::Indeterminate => SubIndication::NoCertificateChainFound,
    }
}

/// The state of a token; one that does not exist breaks nothing.
const fn state_of(token: &TokenState) -> State {
    match token {
        TokenState::None | TokenState::Verified { .. } => State::Trusted,
        TokenState::Untrusted { .. } => State::Untrusted,
        TokenState::Broken => State::Broken,
    }
}
