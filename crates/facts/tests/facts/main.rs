//! Whole files through [`sealwright_facts::prepare`]: documents made here, real ones, hostile ones, and mutations of all.

#![expect(clippy::unwrap_used, reason = "a test that meets what it does not expect fails on the spot")]

mod codes;
mod documents;
mod drawn_pages;
mod fixtures;
mod hostile;
mod mutations;
mod provenance;
mod recognition;
mod signatures;
mod support;
