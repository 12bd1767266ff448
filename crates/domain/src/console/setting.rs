//! What is wrong with a setting of a plugin.

use std::fmt;

/// What is wrong with a setting of a plugin: with what was entered, or by the schema that the plugin declares. No variant
/// repeats the value, because it may be a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingFault {
    Missing,
    NotWhole,
    NotNumber,
    /// Where the text is not JSON.
    NotJson {
        line: usize,
        column: usize,
    },
    NotObject,
    /// JSON that a company manifest cannot hold.
    NotInManifest,
    /// The values that can be chosen.
    NotOfList(String),
    /// Among other settings, the name of one that has a field of its own.
    OwnField(String),
    Least(String),
    Most(String),
    Above(String),
    Below(String),
    MultipleOf(String),
    FewCharacters(u64),
    ManyCharacters(u64),
    Pattern(String),
    FewElements(u64),
    ManyElements(u64),
    Repeated,
    /// Names that the plugin does not know.
    Unknown(String),
    /// What the library says, in English.
    Other(String),
}

impl fmt::Display for SettingFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("required"),
            Self::NotWhole => f.write_str("must be a whole number"),
            Self::NotNumber => f.write_str("must be a number"),
            Self::NotJson { line, column } => write!(f, "must be JSON: line {line}, column {column}"),
            Self::NotObject => f.write_str("must be a JSON object"),
            Self::NotInManifest => f.write_str("null and numbers above 9223372036854775807 are not allowed"),
            Self::NotOfList(values) => write!(f, "must be one of these: {values}"),
            Self::OwnField(name) => write!(f, "{name:?} has a field of its own"),
            Self::Least(limit) => write!(f, "must be at least {limit}"),
            Self::Most(limit) => write!(f, "must be at most {limit}"),
            Self::Above(limit) => write!(f, "must be more than {limit}"),
            Self::Below(limit) => write!(f, "must be less than {limit}"),
            Self::MultipleOf(factor) => write!(f, "must be a multiple of {factor}"),
            Self::FewCharacters(limit) => write!(f, "must have at least {limit} characters"),
            Self::ManyCharacters(limit) => write!(f, "must have at most {limit} characters"),
            Self::Pattern(pattern) => write!(f, "must match the pattern {pattern}"),
            Self::FewElements(limit) => write!(f, "must have at least {limit} elements"),
            Self::ManyElements(limit) => write!(f, "must have at most {limit} elements"),
            Self::Repeated => f.write_str("must not have an element twice"),
            Self::Unknown(names) => write!(f, "the plugin does not know {names}"),
            Self::Other(message) => f.write_str(message),
        }
    }
}
