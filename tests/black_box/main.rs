//! The black-box suite: each test starts the program `sealwright` as an operator would and talks to it over HTTP as an
//! integrator would. It uses only the interface specification and the operator's page, not the code.
//!
//! One file per resource. A behaviour is written once and runs on both databases (`support::on_both_databases`), or on
//! SQLite if the database makes no difference (`support::on_sqlite`).

#![expect(clippy::unwrap_used, reason = "a test fails at once on anything unexpected")]

#[path = "../../crates/seal/src/testing/attacks/mod.rs"]
mod attacks;
#[path = "../../crates/seal/src/testing/base_pdf.rs"]
mod base_pdf;
#[path = "../../crates/seal/src/testing/attacks/disclosures.rs"]
mod forged_disclosures;
#[path = "../../crates/seal/src/testing/attacks/erasures.rs"]
mod forged_erasures;
#[path = "../hostile/mod.rs"]
mod hostile;
#[path = "../../crates/verification/tests/sealing/mod.rs"]
mod sealing;
mod support;

mod abuse;
mod accessible;
mod analysis;
mod analysis_states;
mod appearance;
mod archives;
mod audit;
mod auth;
mod backups;
mod bulk;
mod capture;
mod capture_page;
mod capture_records;
mod case_limits;
mod cases;
mod certificate_extras;
mod children;
mod clients;
mod closing;
mod closing_by_link;
mod command_line;
mod company_export;
mod company_options;
mod conformance;
mod consistency;
mod console;
mod console_backtests;
mod console_cases;
mod console_companies;
mod console_journeys;
mod console_openid;
mod console_operation;
mod crash;
mod decisions;
mod deletions;
mod deployment;
mod description;
mod disclosures;
mod erasures;
mod events;
mod evidence_records;
mod facts;
mod field;
mod field_openid;
mod field_page;
mod forgeries;
mod frames;
mod general;
mod guide;
mod hostile_tokens;
mod idempotency;
mod installation;
mod items;
mod jobs;
mod journey;
mod keyboard;
mod languages;
mod legacy_items;
mod limits;
mod link_creation;
mod link_page;
mod links;
mod log_lines;
mod loss;
mod malformed_uploads;
mod media;
mod operator;
mod other_browsers;
mod otlp;
mod outages;
mod packages;
mod packages_checked;
mod page_memory;
mod photos;
mod plans;
mod plugin_kit;
mod plugin_run;
mod plugins;
mod proofs;
mod proxies;
mod published;
mod registries;
mod replay;
mod report_tokens;
mod reports;
mod retention;
mod revocation;
mod rights;
mod screens;
mod seal_log;
mod seals;
mod search;
mod shadows;
mod signers;
mod strangers;
mod templates;
mod time_stamps;
mod updates;
mod upgrades;
mod uploads;
mod uploads_by_pieces;
mod verification;
mod verification_guide;
mod verify_page;
mod web_types;
mod webhook_retries;
mod webhooks;
mod witnesses;
mod workers;
