//! The names of the contract.

/// The package of the contract.
pub(crate) const PACKAGE: &str = "sealwright:plugin/";

/// The interfaces that a plugin of the role `cross-check` may export in addition.
pub(crate) const CROSS_VERIFICATION: &str = "cross-verification";
pub(crate) const CROSS_STATEMENT: &str = "cross-statement";

/// The contract's interfaces that a plugin may import.
pub(crate) const OFFERED: &[&str] = &[
    "types",
    "log",
    "content",
    "credentials",
    "webhook",
    "findings",
    "facts",
    "provenance",
    "image",
    "document",
    "stated",
    "evidence",
    "attachments",
    "codes",
];
