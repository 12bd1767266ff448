//! The items that the server's own file uses: a moment, a kind of file, and a parser for moments.

/// Milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy)]
pub(crate) struct Timestamp(pub(crate) i64);

impl Timestamp {
    pub(crate) fn as_millis(self) -> i64 {
        self.0
    }
}

/// The kinds that are documents.
#[derive(Clone, Copy)]
pub(crate) enum FileKind {
    Pdf,
    Jpeg,
    Png,
}

impl FileKind {
    pub(crate) fn of(file: &[u8]) -> Self {
        match file {
            [0xff, 0xd8, ..] => Self::Jpeg,
            [0x89, b'P', ..] => Self::Png,
            _ => Self::Pdf,
        }
    }

    pub(crate) fn media_type(self) -> &'static str {
        match self {
            Self::Pdf => "application/pdf",
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
        }
    }
}

/// A date-time with its offset.
pub(crate) fn parse_moment(text: &str) -> Option<Timestamp> {
    let moment: jiff::Timestamp = text.trim().parse().ok()?;
    Some(Timestamp(moment.as_millisecond()))
}
