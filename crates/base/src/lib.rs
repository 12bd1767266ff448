//! The ground that every other part builds on: time and randomness ([`clock`]), keys and secrets ([`secrets`]), TOML
//! files that people write ([`toml_reader`]), and columns that hold a type ([`text_column`]).

pub mod clock;
mod column;
pub mod secrets;
pub mod toml_reader;

// For the code of `text_column!`.
#[doc(hidden)]
pub use sqlx;
