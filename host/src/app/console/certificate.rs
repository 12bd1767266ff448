//! The certificate of a case, checked for its page in the console: what it proves, and when it was stamped by whom. And
//! the package of a case, for a user of the console.

use std::sync::Arc;

use sealwright_seal::{
    UnixTime,
    verify::{State, TimeStampFacts, TimeStampKind},
};

use super::{ConsoleUser, case};
pub use crate::app::verification::{Account, Entry, Fact, Group, Language, Mark};
use crate::{
    app::{
        App,
        audit::{self, Event},
        case::certificate_url,
        package::{self, Package},
        share,
    },
    clock::Timestamp,
    domain::{id::CaseId, operation::Operation, seal::SealLevel},
    error::Result,
    store::{self, case::Case},
};

/// What the page of a certificate shows.
pub struct CertificateView {
    pub case: Case,
    pub check: Check,
}

pub enum Check {
    /// The case is open, so it has no certificate.
    NoCertificate,
    BeingMade,
    /// It was given up, for this reason.
    GivenUp(String),
    Done(Box<DoneCheck>),
}

/// A certificate that was checked, whatever the result is.
pub struct DoneCheck {
    pub account: Account,
    /// The first one first.
    pub time_stamps: Vec<TimeStamp>,
    /// Where anyone who knows the address reads it.
    pub url: String,
}

/// A time stamp of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeStamp {
    /// On the whole file, and not only on the signature.
    pub is_on_file: bool,
    /// None if it could not be read.
    pub at: Option<Timestamp>,
    pub authority: Option<String>,
    /// The end of the authority's certificate.
    pub valid_until: Option<Timestamp>,
    pub mark: Mark,
    /// Of the seal, once it had this time stamp.
    pub level: SealLevel,
    /// The name of the log of seals that has the seal, with the place of its entry, from 1.
    pub log: Option<(String, u64)>,
}

impl From<&TimeStampFacts> for TimeStamp {
    fn from(facts: &TimeStampFacts) -> Self {
        let moment = |time: UnixTime| Timestamp::from_millis(time.as_millis());
        Self {
            is_on_file: facts.kind == TimeStampKind::Document,
            at: facts.time.map(moment),
            authority: facts.authority.as_ref().map(|authority| authority.subject.clone()),
            valid_until: facts.authority.as_ref().map(|authority| moment(authority.not_after)),
            mark: match facts.state {
                State::Trusted => Mark::Good,
                State::Untrusted => Mark::Doubtful,
                State::Broken => Mark::Bad,
            },
            level: facts.level.into(),
            log: facts.log.as_ref().map(|log| (log.name.clone(), log.index.saturating_add(1))),
        }
    }
}

/// Checks the certificate of a case from its bytes, within the limits of checks that anyone can ask for. The look is in
/// the audit log.
///
/// # Errors
/// [`NotReady`](crate::error::Error::NotReady) if too many certificates are being checked.
pub async fn show(app: &Arc<App>, user: &ConsoleUser, id: CaseId, language: Language) -> Result<CertificateView> {
    let (case, _) = case::find(app, user, id).await?;
    let event = Event::done("showCertificate", Some(case.company), Some(format!("case {id}")));
    audit::record_alone(app, &user.actor(), event).await?;
    let mut reader = app.db.read().await?;
    let certificate = store::certificate::find(&mut reader, id).await?;
    drop(reader);
    let check = match certificate {
        None => Check::NoCertificate,
        Some(certificate) => match (certificate.pdf, certificate.failure) {
            (Some(_), _) => {
                let (reference, checked) = share::checked(app, &certificate.share_token).await?;
                Check::Done(Box::new(DoneCheck {
                    account: Account::of(&checked, &share::subject(reference), language),
                    time_stamps: checked.report.time_stamps.iter().map(TimeStamp::from).collect(),
                    url: certificate_url(app, &certificate.share_token),
                }))
            }
            (None, Some(failure)) => Check::GivenUp(failure),
            (None, None) => Check::BeingMade,
        },
    };
    Ok(CertificateView { case, check })
}

/// The package of a closed case, as the interface gives it to the case's company. The download is in the audit log.
///
/// # Errors
/// As for the interface: the case is open, its certificate is not made, or no authority stamps the package.
pub async fn package(app: &Arc<App>, user: &ConsoleUser, id: CaseId) -> Result<Package> {
    let (case, _) = case::find(app, user, id).await?;
    let package = package::of_case(app, id).await?;
    let event = Event::of(Operation::DownloadPackage, case.company, Some(format!("case {id}")));
    audit::record_alone(app, &user.actor(), event).await?;
    Ok(package)
}
