//! XMP metadata (ISO 16684-1): what programs claim to have done to a PDF file or a picture.

use roxmltree::{Document, Node, ParsingOptions};
use serde::{Deserialize, Serialize};

use crate::text::{self, one_line};

const MAX_BYTES: usize = 4 << 20;
const MAX_NODES: u32 = 50_000;
const MAX_TEXT_LENGTH: usize = 200;
const MAX_HISTORY: usize = 64;

/// XMP metadata, of a PDF file or an image.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Xmp {
    pub producer: Option<String>,
    pub creator_tool: Option<String>,
    /// As written, usually ISO 8601.
    pub created: Option<String>,
    pub modified: Option<String>,
    pub metadata_date: Option<String>,
    pub document_id: Option<String>,
    pub instance_id: Option<String>,
    pub original_document_id: Option<String>,
    /// What programs claim to have done, the oldest first, at most 64.
    pub history: Vec<HistoryEntry>,
    /// The number of ingredients and ancestors (`xmpMM:Ingredients`, `photoshop:DocumentAncestors`, `DerivedFrom`).
    pub ancestors: u32,
    /// How the picture was made, as the address of a term of the IPTC (`Iptc4xmpExt:DigitalSourceType`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digital_source_type: Option<String>,
    /// `photoshop:Credit`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credit: Option<String>,
    /// The model that made the picture (`Iptc4xmpExt:AISystemUsed`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_used: Option<String>,
    /// The label that the Chinese standard GB 45438 requires (`TC260:AIGC`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chinese_label: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    /// For example `saved`, `converted`.
    pub action: Option<String>,
    pub software: Option<String>,
    pub when: Option<String>,
    /// Which part changed, for example `/metadata`.
    pub changed: Option<String>,
}

const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const XMP: &str = "http://ns.adobe.com/xap/1.0/";
const MEDIA: &str = "http://ns.adobe.com/xap/1.0/mm/";
const EVENT: &str = "http://ns.adobe.com/xap/1.0/sType/ResourceEvent#";
const PDF: &str = "http://ns.adobe.com/pdf/1.3/";
const IPTC: &str = "http://iptc.org/std/Iptc4xmpExt/2008-02-29/";
const CHINESE: &str = "http://www.tc260.org.cn/ns/AIGC/1.0/";
const PHOTOSHOP: &str = "http://ns.adobe.com/photoshop/1.0/";

/// Reads a packet. `None` if it is not XML, has a document type, or is larger than what programs write.
pub(crate) fn read(packet: &[u8]) -> Option<Xmp> {
    let packet = std::str::from_utf8(packet.get(..packet.len().min(MAX_BYTES))?).ok()?.trim_matches(['\0', '\u{FEFF}']);
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(packet, options).ok()?;
    let mut xmp = Xmp::default();
    // Properties are in descriptions, as attributes or as elements (ISO 16684-1, 7.4).
    for description in document.descendants().filter(|node| node.has_tag_name((RDF, "Description"))) {
        // Descriptions inside properties are values.
        if !description.parent().is_some_and(|parent| parent.has_tag_name((RDF, "RDF"))) {
            continue;
        }
        let property = |namespace, name| property(description, namespace, name);
        let keep = |place: &mut Option<String>, value: Option<String>| *place = place.take().or(value);
        keep(&mut xmp.producer, property(PDF, "Producer"));
        keep(&mut xmp.creator_tool, property(XMP, "CreatorTool"));
        keep(&mut xmp.created, property(XMP, "CreateDate"));
        keep(&mut xmp.modified, property(XMP, "ModifyDate"));
        keep(&mut xmp.metadata_date, property(XMP, "MetadataDate"));
        keep(&mut xmp.document_id, property(MEDIA, "DocumentID"));
        keep(&mut xmp.instance_id, property(MEDIA, "InstanceID"));
        keep(&mut xmp.original_document_id, property(MEDIA, "OriginalDocumentID"));
        keep(&mut xmp.digital_source_type, address(description));
        keep(&mut xmp.credit, property(PHOTOSHOP, "Credit"));
        keep(&mut xmp.model_used, property(IPTC, "AISystemUsed"));
        keep(&mut xmp.chinese_label, property(CHINESE, "AIGC"));
        for child in description.children() {
            if child.has_tag_name((MEDIA, "History")) {
                let events = child.descendants().filter(|node| node.has_tag_name((RDF, "li")));
                xmp.history.extend(events.map(event).take(MAX_HISTORY.saturating_sub(xmp.history.len())));
            } else if child.has_tag_name((MEDIA, "Ingredients")) || child.has_tag_name((PHOTOSHOP, "DocumentAncestors"))
            {
                xmp.ancestors += text::count(child.descendants().filter(|node| node.has_tag_name((RDF, "li"))).count());
            } else if child.has_tag_name((MEDIA, "DerivedFrom")) {
                xmp.ancestors += 1;
            }
        }
    }
    Some(xmp)
}

/// A simple property, or the first item of a list.
fn property(description: Node, namespace: &str, name: &str) -> Option<String> {
    if let Some(value) = description.attribute((namespace, name)) {
        return one_line(value, MAX_TEXT_LENGTH);
    }
    let element = description.children().find(|child| child.has_tag_name((namespace, name)))?;
    let text = element.descendants().filter_map(|node| node.text()).find(|text| !text.trim().is_empty())?;
    one_line(text, MAX_TEXT_LENGTH)
}

/// The digital source type, which may also be a reference (ISO 16684-1, 7.5) instead of a text.
fn address(description: Node) -> Option<String> {
    const NAMES: [&str; 2] = ["DigitalSourceType", "DigitalSourcefileType"];
    NAMES.into_iter().find_map(|name| {
        let written = || property(description, IPTC, name);
        let element = description.children().find(|child| child.has_tag_name((IPTC, name)));
        let referred = element.and_then(|element| element.attribute((RDF, "resource")));
        referred.and_then(|address| one_line(address, MAX_TEXT_LENGTH)).or_else(written)
    })
}

/// An entry of the history; its properties are in the list's element itself or in a description inside it.
fn event(entry: Node) -> HistoryEntry {
    let inner = entry.children().find(|child| child.has_tag_name((RDF, "Description"))).unwrap_or(entry);
    let value = |name| property(inner, EVENT, name).or_else(|| property(entry, EVENT, name));
    HistoryEntry {
        action: value("action"),
        software: value("softwareAgent"),
        when: value("when"),
        changed: value("changed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_read_in_both_forms_and_history_in_order() {
        let packet = br#"<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
 xmlns:stEvt="http://ns.adobe.com/xap/1.0/sType/ResourceEvent#" xmp:CreatorTool="Adobe Photoshop 25.0">
<xmp:CreateDate>2026-11-20T10:00:00+01:00</xmp:CreateDate>
<xmpMM:History><rdf:Seq>
<rdf:li stEvt:action="created" stEvt:softwareAgent="Camera"/>
<rdf:li rdf:parseType="Resource"><stEvt:action>saved</stEvt:action><stEvt:softwareAgent>Adobe Photoshop 25.0</stEvt:softwareAgent></rdf:li>
</rdf:Seq></xmpMM:History><xmpMM:DerivedFrom/></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>"#;
        let xmp = read(packet).unwrap();
        assert_eq!(xmp.creator_tool.as_deref(), Some("Adobe Photoshop 25.0"));
        assert_eq!(xmp.created.as_deref(), Some("2026-11-20T10:00:00+01:00"));
        let actions: Vec<_> = xmp.history.iter().filter_map(|entry| entry.action.as_deref()).collect();
        assert_eq!(actions, ["created", "saved"]);
        assert_eq!(xmp.history[1].software.as_deref(), Some("Adobe Photoshop 25.0"));
        assert_eq!(xmp.ancestors, 1);
    }

    #[test]
    fn entities_are_not_expanded() {
        let bomb = br#"<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><x>&b;</x>"#;
        assert_eq!(read(bomb), None);
    }
}
