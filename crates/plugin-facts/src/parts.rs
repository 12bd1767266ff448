//! Parts of documents and pictures: texts, times, areas, properties.

use sealwright_domain::moment::parse_moment;
use sealwright_facts::model::Area;
use sealwright_plugin_sdk::facts::{Place, Property, PropertySource, Rectangle};

/// The contract's limit for short lists.
pub(crate) const LISTED: usize = 100;
/// The contract's limit for one text, in bytes.
pub(crate) const TEXT_BYTES: usize = 1024;

/// A text of at most 1,024 bytes, without cutting a character in two.
pub(crate) fn cut(text: &str) -> String {
    text[..text.floor_char_boundary(TEXT_BYTES)].to_owned()
}

pub(crate) fn place(page: u32, area: Area) -> Place {
    Place { page, area: Some(rectangle(area)) }
}

pub(crate) fn rectangle(area: Area) -> Rectangle {
    let length = |from: i32, to: i32| if to > from { to.abs_diff(from) } else { 0 };
    Rectangle {
        left: area.left,
        top: area.top,
        width: length(area.left, area.right),
        height: length(area.top, area.bottom),
    }
}

/// A date-time as milliseconds; one without an offset is taken as UTC.
pub(crate) fn millis(text: &str) -> Option<i64> {
    if let Some(moment) = parse_moment(text) {
        return Some(moment.as_millis());
    }
    let civil: jiff::civil::DateTime = text.trim().parse().ok()?;
    Some(civil.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_millisecond())
}

pub(crate) fn property(source: PropertySource, name: &str, value: &str, revision: Option<u32>) -> Property {
    Property { source, name: name.to_owned(), value: cut(value), time: millis(value), revision }
}
