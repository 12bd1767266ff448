//! Reading what people and machines write on papers: plain text, cells, dates, amounts, account numbers and
//! machine-readable zones. It is independent of the types of documents.

pub mod account;
pub mod amount;
pub mod cells;
pub mod date;
pub mod identifier;
pub mod labels;
mod level;
pub mod origin;
pub mod text;
mod turn;
pub mod zone;

pub use account::{Account, find_accounts};
pub use amount::{Amount, find_amounts};
pub use cells::{Cell, cells};
pub use date::{Date, find_dates};
pub use identifier::Identifier;
pub use text::fold;
pub use zone::{Zone, find_zones};
