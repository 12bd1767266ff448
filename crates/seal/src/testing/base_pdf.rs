// A one-page PDF file with attachments, written by hand in the form that Typst writes: a classic cross-reference table,
// compressed attachments in a name tree, no line break after `%%EOF`. Shared with the tests in `tests/judges`.

use std::fmt::Write as _;

/// A page that says "Certificate", with these files attached.
pub(crate) fn base_pdf(attachments: &[(&str, &[u8])]) -> Vec<u8> {
    base_pdf_with(attachments, &[]).0
}

/// The same, with further unreferenced objects. In their texts, `{0}` is the number of the first one, `{1}` that of the
/// next. Also returns the first number.
pub(crate) fn base_pdf_with(attachments: &[(&str, &[u8])], dormant: &[&str]) -> (Vec<u8>, u32) {
    let mut names = String::new();
    let mut specifications = String::new();
    let mut objects: Vec<Vec<u8>> = vec![
        Vec::new(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_vec(),
        stream("", b"BT /F1 24 Tf 72 720 Td (Certificate) Tj ET"),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_vec(),
    ];
    for (name, bytes) in attachments {
        let specification = objects.len() + 1;
        let _ = write!(names, "({name}) {specification} 0 R ");
        let _ = write!(specifications, "{specification} 0 R ");
        let file = specification + 1;
        let text = format!(
            "<< /Type /Filespec /F ({name}) /UF ({name}) /AFRelationship /Data /EF << /F {file} 0 R /UF {file} 0 R >> >>"
        );
        objects.push(text.into_bytes());
        let deflated = miniz_oxide::deflate::compress_to_vec_zlib(bytes, 6);
        let kind = format!("/Type /EmbeddedFile /Filter /FlateDecode /Params << /Size {} >>", bytes.len());
        objects.push(stream(&kind, &deflated));
    }
    objects[0] = format!(
        "<< /Type /Catalog /Pages 2 0 R /AF [{specifications}] /Names << /EmbeddedFiles << /Names [{names}] >> >> >>"
    )
    .into_bytes();
    let first = objects.len() + 1;
    for text in dormant {
        let number =
            |text: String, position: usize| text.replace(&format!("{{{position}}}"), &(first + position).to_string());
        objects.push((0..dormant.len()).fold((*text).to_owned(), number).into_bytes());
    }
    (assemble(&objects), u32::try_from(first).unwrap_or(u32::MAX))
}

fn stream(entries: &str, bytes: &[u8]) -> Vec<u8> {
    let head = format!("<< {entries} /Length {} >>\nstream\n", bytes.len());
    [head.as_bytes(), bytes, b"\nendstream"].concat()
}

fn assemble(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut pdf = b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n".to_vec();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (position, object) in objects.iter().enumerate() {
        let _ = writeln!(table, "{:010} 00000 n ", pdf.len());
        pdf.extend_from_slice(format!("{} 0 obj\n", position + 1).as_bytes());
        pdf.extend_from_slice(object);
        pdf.extend_from_slice(b"\nendobj\n\n");
    }
    let at = pdf.len();
    pdf.extend_from_slice(table.as_bytes());
    let size = objects.len() + 1;
    let trailer = format!(
        "trailer\n<< /Size {size} /Root 1 0 R /ID [<00112233445566778899AABBCCDDEEFF> <00112233445566778899AABBCCDDEEFF>] \
         >>\nstartxref\n{at}\n%%EOF"
    );
    pdf.extend_from_slice(trailer.as_bytes());
    pdf
}
