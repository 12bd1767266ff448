//! XML for writing: elements with attributes, and either a text or elements in them. Texts come from files of others,
//! so nothing in them can end an element or begin one.

use std::fmt::{self, Write as _};

/// An element. Its name and those of its attributes are this program's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    content: Content,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Content {
    Elements(Vec<Element>),
    Text(String),
}

impl Element {
    pub(super) fn of(name: &'static str, elements: impl IntoIterator<Item = Self>) -> Self {
        Self { name, attributes: Vec::new(), content: Content::Elements(elements.into_iter().collect()) }
    }

    pub(super) fn text(name: &'static str, text: impl Into<String>) -> Self {
        Self { name, attributes: Vec::new(), content: Content::Text(text.into()) }
    }

    pub(super) fn with(mut self, attribute: &'static str, value: impl Into<String>) -> Self {
        self.attributes.push((attribute, value.into()));
        self
    }

    /// The element as a document.
    pub(super) fn document(&self) -> String {
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{self}")
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        let indent = "  ".repeat(depth);
        write!(f, "{indent}<{}", self.name)?;
        for (name, value) in &self.attributes {
            write!(f, " {name}=\"")?;
            escape(f, value)?;
            f.write_char('"')?;
        }
        match &self.content {
            Content::Elements(elements) if elements.is_empty() => f.write_str("/>\n"),
            Content::Elements(elements) => {
                f.write_str(">\n")?;
                elements.iter().try_for_each(|element| element.write(f, depth + 1))?;
                writeln!(f, "{indent}</{}>", self.name)
            }
            Content::Text(text) => {
                f.write_char('>')?;
                escape(f, text)?;
                writeln!(f, "</{}>", self.name)
            }
        }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}

/// Characters with a meaning in XML are written as references. A character that a document cannot have is written as its
/// number; so are line ends and tabs, which a reader of an attribute would change.
fn escape(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    for character in text.chars() {
        match character {
            '&' => f.write_str("&amp;")?,
            '<' => f.write_str("&lt;")?,
            '>' => f.write_str("&gt;")?,
            '"' => f.write_str("&quot;")?,
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {
                write!(f, "[U+{:04X}]", u32::from(character))?;
            }
            character => f.write_char(character)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_stays_a_text() {
        let hostile = "</a><b c=\"d\">&e;]]>\u{0}\n\u{ffff}é";
        let element = Element::of("a", [Element::text("b", hostile)]).with("c", hostile);
        let document = element.document();
        let read = roxmltree::Document::parse(&document).unwrap();
        let shown = "</a><b c=\"d\">&e;]]>[U+0000][U+000A][U+FFFF]é";
        assert_eq!(read.root_element().attribute("c"), Some(shown));
        let inner = read.root_element().first_element_child().unwrap();
        assert_eq!((inner.tag_name().name(), inner.text()), ("b", Some(shown)));
        assert_eq!(read.root_element().children().filter(roxmltree::Node::is_element).count(), 1);
    }

    #[test]
    fn an_element_without_content_is_closed() {
        assert_eq!(Element::of("a", []).to_string(), "<a/>\n");
        assert_eq!(Element::text("a", "").to_string(), "<a></a>\n");
    }
}
