//! A simulated year of one installation (`cargo xtask year`): it begins as one of the last release, is upgraded, works
//! and fails each month, rotates its keys, renews its certificates, deletes expired data, moves to PostgreSQL
//! by a backup, and has to prove at the end everything that it has acknowledged.
//!
//! The time of the day is moved by a library that is preloaded into the program (`clock.rs`).

mod api;
mod authority;
mod check;
mod clock;
mod company;
mod console;
mod gather;
mod installation;
mod ledger;
mod month;
mod operate;
mod plan;
mod process;
mod run;
mod state;
mod witness;
mod work;

pub(crate) use self::{
    plan::SHORTEST,
    run::{YearOptions, run},
};
