//! What a person can get wrong in a form of the console.

use std::fmt;

use super::{Decision, Outcome, Role, SettingFault};
use crate::{
    capture::RetakeRequest,
    id::{CaseId, ItemId},
    legal_hold::HoldRequest,
};

/// What is wrong with a form. [`fmt::Display`] is the text in English, which commands print, too; the console's pages have
/// their own texts in other languages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormProblem {
    NoOutcome,
    NoReason(Outcome),
    LongReason,
    ControlInReason,
    CaseIsOpen,
    /// Of a request for another capture.
    RetakeReason,
    /// The number of the case was not repeated before it is deleted.
    NotConfirmed(CaseId),
    /// The number of the item was not repeated before it is erased.
    ErasureNotConfirmed(ItemId),
    NoGround,
    /// The webhook of a case is to be sent again, and is waiting already.
    WebhookWaits(CaseId),
    WrongPassword,
    /// Wrong passwords, or wrong second steps, in the last minute.
    TooManyFailures,
    PasswordLength {
        least: usize,
        most: usize,
        given: usize,
    },
    PasswordHasUsername,
    /// A code of the second factor.
    WrongCode,
    /// The first code of a new second factor.
    WrongFirstCode,
    SecondFactorIsOn,
    /// What the browser sent of a passkey, new or known.
    WrongPasskey,
    TooManyPasskeys {
        most: usize,
    },
    /// The person signs in through a provider, and has no password here.
    NoPassword,
    SecondFactorOfProvider,
    /// The user with this name signs in through a provider, which says the role.
    OfProvider(String),
    OldForm,
    Username {
        most: usize,
    },
    UsernameTaken(String),
    Name {
        most: usize,
    },
    OperatorWithCompany,
    NoCompany(Role),
    /// A role or companies that the person does not have.
    MoreThanOwn,
    LastOperator,
    /// A number of a new link.
    LinkNumber {
        field: LinkNumber,
        highest: i64,
    },
    /// A new link is for nothing of the list.
    NoFrame,
    /// A new backtest is for no component of the list.
    NoComponent,
    /// A new backtest is for no company of the list.
    NoBacktestCompany,
    /// How far back the cases of a backtest go: what was expected.
    BacktestTime(String),
    BacktestLimit {
        highest: u32,
    },
    /// What was expected of the candidate's settings.
    BacktestSettings(String),
    /// Another backtest has not ended.
    BacktestIsOpen,
    /// This many settings of plugins are wrong. Each has a [`FormProblem::Setting`] at its field.
    Settings(usize),
    /// A setting of a plugin.
    Setting {
        name: String,
        fault: SettingFault,
    },
    /// Settings were entered for this plugin, and the company does not use it.
    UnusedSettings(String),
    /// The case is under legal hold, and was to be deleted.
    CaseIsHeld(CaseId),
    /// The case is under legal hold, and was to be held.
    HeldAlready(CaseId),
    /// The legal hold of a case was to be ended, and there is none.
    NotHeld(CaseId),
    /// Of a legal hold.
    HoldReason,
}

/// A number in the form of a new link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkNumber {
    Uses,
    Days,
}

impl LinkNumber {
    /// The name of its field.
    pub const fn field(self) -> &'static str {
        match self {
            Self::Uses => "uses",
            Self::Days => "days",
        }
    }
}

impl fmt::Display for FormProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoOutcome => f.write_str("outcome: choose accepted, rejected or returned"),
            Self::NoReason(outcome) => write!(f, "reason: a reason is required if a case is {outcome}"),
            Self::LongReason => write!(f, "reason: at most {} characters are allowed", Decision::LONGEST_REASON),
            Self::ControlInReason => f.write_str("reason: control characters are not allowed"),
            Self::CaseIsOpen => f.write_str("the case is open: it can be returned, and decided on when it is closed"),
            Self::RetakeReason => {
                write!(f, "reason: enter one line of 1 to {} characters", RetakeRequest::LONGEST_REASON)
            }
            Self::NotConfirmed(case) => write!(f, "confirm: enter the number of the case, {case}, to delete it"),
            Self::ErasureNotConfirmed(item) => write!(f, "confirm: enter the number of the item, {item}, to erase it"),
            Self::NoGround => f.write_str("ground: choose why the item is erased"),
            Self::WebhookWaits(case) => {
                write!(f, "the webhook of case {case} is already in the queue; sealwright job list shows its job")
            }
            Self::WrongPassword => f.write_str("current password: wrong"),
            Self::TooManyFailures => f.write_str("too many wrong attempts: wait a minute"),
            Self::PasswordLength { least, most, given } => {
                write!(f, "password: must have {least} to {most} characters, and has {given}")
            }
            Self::PasswordHasUsername => f.write_str("password: must not contain the username"),
            Self::WrongCode => f.write_str("the code is wrong, or was used before"),
            Self::WrongFirstCode => f.write_str("the code is wrong: enter the one that the app shows now"),
            Self::WrongPasskey => f.write_str("the passkey was not accepted: try again"),
            Self::TooManyPasskeys { most } => write!(f, "you have {most} passkeys: remove one first"),
            Self::SecondFactorIsOn => f.write_str("a second factor is on: turn it off with one of its codes first"),
            Self::NoPassword => f.write_str("the account has no password: your organisation signs you in"),
            Self::SecondFactorOfProvider => {
                f.write_str("your organisation signs you in, and decides on a second factor")
            }
            Self::OfProvider(username) => {
                write!(f, "{username} signs in through the provider, which also says the role")
            }
            Self::OldForm => f.write_str("the form is too old: start again"),
            Self::Username { most } => write!(f, "username: must be 1 to {most} letters, digits, or . _ - @ +"),
            Self::UsernameTaken(username) => {
                write!(f, "username: {username:?} is taken, or was the name of a removed user")
            }
            Self::Name { most } => {
                write!(f, "name: must have at most {most} characters and no control characters")
            }
            Self::OperatorWithCompany => {
                f.write_str("company: an operator belongs to the installation, not to a company")
            }
            Self::NoCompany(role) => write!(f, "company: a user with the role {role} needs a company"),
            Self::MoreThanOwn => f.write_str("role: you cannot give a role or companies that you do not have"),
            Self::LastOperator => f.write_str("this is the last operator: add another one first"),
            Self::LinkNumber { field, highest } => {
                write!(f, "{}: must be a number from 1 to {highest}", field.field())
            }
            Self::NoFrame => f.write_str("kind of case: choose one of the list"),
            Self::NoComponent => f.write_str("component: choose one of the list"),
            Self::NoBacktestCompany => f.write_str("company: choose one of the list"),
            Self::BacktestTime(expected) => write!(f, "since: {expected}"),
            Self::BacktestLimit { highest } => write!(f, "limit: must be a number from 1 to {highest}"),
            Self::BacktestSettings(expected) => write!(f, "settings: {expected}"),
            Self::BacktestIsOpen => f.write_str("another backtest has not ended: wait for it, or stop it"),
            Self::Settings(1) => f.write_str("a setting of a plugin is wrong: see its field"),
            Self::Settings(count) => write!(f, "{count} settings of plugins are wrong: see their fields"),
            Self::Setting { name, fault } => write!(f, "{name}: {fault}"),
            Self::UnusedSettings(plugin) => write!(
                f,
                "settings were entered for {plugin}, which is not used: choose it, and not the default settings"
            ),
            Self::CaseIsHeld(case) => {
                write!(f, "case {case} is under legal hold: it cannot be deleted before the hold is ended")
            }
            Self::HeldAlready(case) => write!(f, "case {case} is under legal hold already"),
            Self::NotHeld(case) => write!(f, "case {case} is not under legal hold"),
            Self::HoldReason => write!(f, "reason: enter one line of 1 to {} characters", HoldRequest::LONGEST_REASON),
        }
    }
}
