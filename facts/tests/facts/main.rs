//! Whole files through [`sealwright_facts::prepare`]: documents made here, real ones, hostile ones, and mutations of all.

mod documents;
mod fixtures;
mod hostile;
mod mutations;
mod recognition;
mod support;
