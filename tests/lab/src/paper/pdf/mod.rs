//! Writes sheets as PDF files, imitating several programs: their names, object layout, operators and fonts differ like
//! those of real programs.

mod content;
mod file;
mod font;

use std::fmt::Write as _;

use jiff::civil::DateTime;

pub(crate) use self::{
    content::Strings,
    file::{append, next_number, stream_object},
    font::windows_code,
};
use super::{
    raster,
    sheet::{Mark, Sheet},
};
use file::{Reference, Writer};
use font::Fonts;

/// How a program writes text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Operators {
    /// A string for each line.
    Lines,
    /// A string for each word, each positioned separately.
    Words,
    /// Each line as an array of pieces with small corrections between them.
    Arrays,
}

/// A program that makes PDF files.
#[derive(Clone, Debug)]
pub(crate) struct Producer {
    /// For labels.
    pub(crate) name: &'static str,
    pub(crate) creator: &'static str,
    pub(crate) program: &'static str,
    pub(crate) version: &'static str,
    pub(crate) operators: Operators,
    /// Puts objects into compressed streams, with a cross-reference stream (ISO 32000-1, 7.5.7 and 7.5.8).
    pub(crate) object_streams: bool,
    pub(crate) xmp: bool,
    /// The prefix of names of fonts and streams in resources.
    pub(crate) font_prefix: &'static str,
}

const fn producer(
    name: &'static str,
    creator: &'static str,
    program: &'static str,
    version: &'static str,
    operators: Operators,
    font_prefix: &'static str,
) -> Producer {
    Producer { name, creator, program, version, operators, object_streams: false, xmp: false, font_prefix }
}

/// The imitated programs. Typst is not among them: it writes its files itself.
pub(crate) const PRODUCERS: [Producer; 9] = [
    Producer {
        xmp: true,
        ..producer("word", "Microsoft® Word 2019", "Microsoft® Word 2019", "1.7", Operators::Words, "F")
    },
    producer("libreoffice", "Writer", "LibreOffice 7.4", "1.6", Operators::Arrays, "F"),
    producer("chrome", "Chromium", "Skia/PDF m116", "1.4", Operators::Lines, "F"),
    Producer {
        object_streams: true,
        ..producer("itext", "", "iText® 7.2.5 ©2000-2023 iText Group NV", "1.7", Operators::Lines, "F")
    },
    producer("fop", "Apache FOP Version 2.8", "Apache FOP Version 2.8", "1.4", Operators::Arrays, "F"),
    producer("tcpdf", "TCPDF", "TCPDF 6.6.2 (http://www.tcpdf.org)", "1.7", Operators::Lines, "F"),
    producer("jasper", "JasperReports Library version 6.20.0", "OpenPDF 1.3.30", "1.5", Operators::Lines, "F"),
    Producer {
        xmp: true,
        object_streams: true,
        ..producer(
            "distiller",
            "PScript5.dll Version 5.2.2",
            "Acrobat Distiller 21.0 (Windows)",
            "1.6",
            Operators::Arrays,
            "TT",
        )
    },
    producer("quartz", "Pages", "macOS Version 13.1 (Build 22C65) Quartz PDFContext", "1.3", Operators::Words, "TT"),
];

/// A file's metadata.
#[derive(Clone, Debug)]
pub(crate) struct Information {
    pub(crate) title: String,
    pub(crate) created: DateTime,
    /// `None` if the program does not write it.
    pub(crate) modified: Option<DateTime>,
    /// The program that wrote the file last, if not the producer.
    pub(crate) rewritten_by: Option<&'static str>,
    /// Whether its XMP contradicts the dates and the producer.
    pub(crate) xmp_disagrees: bool,
}

/// A picture that fills a page, as a scanner stores it.
pub(crate) struct ScannedPage {
    pub(crate) jpeg: Vec<u8>,
    /// In pixels.
    pub(crate) size: (u32, u32),
    /// Invisible text over it, as scanners with text recognition write it.
    pub(crate) layer: Option<Sheet>,
    /// Points.
    pub(crate) page: (f32, f32),
}

/// The file of these sheets.
pub(crate) fn write(sheets: &[Sheet], producer: &Producer, information: &Information) -> anyhow::Result<Vec<u8>> {
    let mut writer = Writer::new(producer);
    let mut fonts = Fonts::default();
    for sheet in sheets {
        fonts.collect(sheet);
    }
    let fonts = fonts.write(&mut writer, producer)?;
    let pages = writer.reserve();
    let mut kids = Vec::new();
    for sheet in sheets {
        let page = writer.reserve();
        let (content, pictures) = (page_content(sheet, producer, &fonts), portraits(sheet, &mut writer)?);
        let content = writer.stream("", &content);
        let mut objects = String::new();
        for (index, at) in pictures.iter().enumerate() {
            let _ = write!(objects, "/Im{index} {at} ");
        }
        writer.put(
            page,
            &format!(
                "<< /Type /Page /Parent {pages} /MediaBox [0 0 {} {}] /Resources << /Font << {} >> /XObject << {objects}>> \
                 /ProcSet [/PDF /Text /ImageC] >> /Contents {content} >>",
                sheet.width,
                sheet.height,
                fonts.resources()
            ),
        );
        kids.push(page);
    }
    finish(writer, pages, &kids, producer, information)
}

/// The operators that draw a sheet.
pub(crate) fn page_content(sheet: &Sheet, producer: &Producer, fonts: &dyn Strings) -> Vec<u8> {
    content::operators(sheet, producer.operators, fonts)
}

/// The file of scanned pages.
pub(crate) fn write_scan(
    pages: &[ScannedPage],
    producer: &Producer,
    information: &Information,
) -> anyhow::Result<Vec<u8>> {
    let mut writer = Writer::new(producer);
    let mut fonts = Fonts::default();
    for layer in pages.iter().filter_map(|page| page.layer.as_ref()) {
        fonts.collect(layer);
    }
    let fonts = fonts.write(&mut writer, producer)?;
    let tree = writer.reserve();
    let mut kids = Vec::new();
    for page in pages {
        let (width, height) = page.page;
        let image = writer.raw_stream(
            &format!(
                "/Type /XObject /Subtype /Image /Width {} /Height {} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode",
                page.size.0, page.size.1
            ),
            &page.jpeg,
        );
        let mut content = format!("q {width} 0 0 {height} 0 0 cm /Im0 Do Q\n").into_bytes();
        if let Some(layer) = &page.layer {
            content.extend(page_content(layer, producer, &fonts));
        }
        let content = writer.stream("", &content);
        kids.push(writer.add(&format!(
            "<< /Type /Page /Parent {tree} /MediaBox [0 0 {width} {height}] /Resources << /Font << {} >> /XObject << /Im0 \
             {image} >> >> /Contents {content} >>",
            fonts.resources()
        )));
    }
    finish(writer, tree, &kids, producer, information)
}

fn finish(
    mut writer: Writer,
    pages: Reference,
    kids: &[Reference],
    producer: &Producer,
    information: &Information,
) -> anyhow::Result<Vec<u8>> {
    let list: Vec<String> = kids.iter().map(ToString::to_string).collect();
    writer.put(pages, &format!("<< /Type /Pages /Kids [{}] /Count {} >>", list.join(" "), kids.len()));
    let metadata = if producer.xmp || information.xmp_disagrees {
        let xmp = xmp(producer, information);
        format!(" /Metadata {}", writer.raw_stream("/Type /Metadata /Subtype /XML", xmp.as_bytes()))
    } else {
        String::new()
    };
    let root = writer.add(&format!("<< /Type /Catalog /Pages {pages}{metadata} >>"));
    let information = writer.add(&information_dictionary(producer, information));
    writer.finish(root, information)
}

pub(crate) fn information_dictionary(producer: &Producer, information: &Information) -> String {
    let made_by = information.rewritten_by.unwrap_or(producer.program);
    let modified = information.modified.map(|time| format!(" /ModDate ({})", date(time))).unwrap_or_default();
    let creator =
        if producer.creator.is_empty() { String::new() } else { format!(" /Creator {}", file::text(producer.creator)) };
    format!(
        "<< /Title {}{creator} /Producer {} /CreationDate ({}){modified} >>",
        file::text(&information.title),
        file::text(made_by),
        date(information.created)
    )
}

/// ISO 32000-1, 7.9.4.
pub(crate) fn date(time: DateTime) -> String {
    time.strftime("D:%Y%m%d%H%M%S+01'00'").to_string()
}

fn xmp(producer: &Producer, information: &Information) -> String {
    let (created, modified) = (information.created, information.modified.unwrap_or(information.created));
    let (created, made_by) = if information.xmp_disagrees {
        (created.saturating_sub(jiff::Span::new().days(47)), "Acrobat Distiller 9.0 (Windows)")
    } else {
        (created, information.rewritten_by.unwrap_or(producer.program))
    };
    let day = |time: DateTime| time.strftime("%Y-%m-%dT%H:%M:%S+01:00").to_string();
    format!(
        "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?><x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF \
         xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Description rdf:about=\"\" \
         xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" xmlns:pdf=\"http://ns.adobe.com/pdf/1.3/\"><xmp:CreatorTool>{}</xmp:CreatorTool>\
         <xmp:CreateDate>{}</xmp:CreateDate><xmp:ModifyDate>{}</xmp:ModifyDate><pdf:Producer>{made_by}</pdf:Producer></rdf:Description>\
         </rdf:RDF></x:xmpmeta><?xpacket end=\"w\"?>",
        producer.creator,
        day(created),
        day(modified)
    )
}

/// The portraits of a sheet as image objects, in order.
fn portraits(sheet: &Sheet, writer: &mut Writer) -> anyhow::Result<Vec<Reference>> {
    let mut made = Vec::new();
    for mark in &sheet.marks {
        if let Mark::Portrait(area) = mark {
            let (width, height) = raster::pixels(area, 150.0);
            let jpeg = raster::portrait_jpeg(width, height)?;
            made.push(writer.raw_stream(
                &format!(
                    "/Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace /DeviceRGB \
                     /BitsPerComponent 8 /Filter /DCTDecode"
                ),
                &jpeg,
            ));
        }
    }
    Ok(made)
}
