//! Report tokens are foreign text and become file names: headers must stay valid and archives safe with any token
//! (decisions 10).

use serde_json::json;

use crate::support::{
    Answer, TestServer,
    company_manifest::{ACME, SHORT_FRAME, acme_on},
    evidence::{close, open_case},
    on_both_databases,
    rows::Rows,
    zip::{Files, unpack_all},
};

on_both_databases!(decisions_10_hostile_tokens_make_valid_headers_and_safe_archives);

/// 500 tokens that would do harm when used as a path, a header or a command.
async fn decisions_10_hostile_tokens_make_valid_headers_and_safe_archives(server: TestServer) {
    const TOKENS: usize = 500;
    let (api, _receiver) = acme_on(&server).await;
    let model = open_case(&api, &json!({ "frameId": SHORT_FRAME })).await;
    let closed = close(&api, model).await.expect(200).json();
    let pdf = api.with_token(None).get(closed["pdfUrl"].as_str().unwrap()).await.expect(200).body;
    let tokens = hostile_tokens(TOKENS);
    let mut cases = Vec::new();
    for token in &tokens {
        cases.push(open_case(&api, &json!({ "frameId": SHORT_FRAME, "reportToken": token })).await);
    }
    // Closed like the model case, without making 500 certificates. A share token has 32 hexadecimal digits.
    let close_all = format!(
        "update cases set closed_at = created_at where id > {model};
         insert into certificates (case_id, share_token, frozen, blob_key, size, sha256, pages, rendered_at, crc32)
         select c.id, substr('00000000000000000000000000000000', 1, 32 - length(cast(c.id as text))) || c.id, k.frozen, k.blob_key, k.size, k.sha256, k.pages, k.rendered_at, k.crc32
         from cases c, certificates k where c.id > {model} and k.case_id = {model}"
    );
    Rows::change(&server, &close_all).await;
    let mut archives = Vec::new();
    for token in &tokens {
        let path = format!("/reports/report/{}", percent_encoded(token));
        let archive = api.post(&path, &json!({})).await.expect(200);
        let name = file_name(&archive);
        let expected: String = token
            .chars()
            .map(|letter| if letter.is_ascii_alphanumeric() || "._-".contains(letter) { letter } else { '_' })
            .collect();
        assert_eq!(name, format!("{expected}.zip"), "{token:?}");
        archives.push(archive.body);
        let addresses = api.post(&path, &json!({ "format": "metadata" })).await.expect(200).json();
        assert_eq!(addresses["reportToken"], token.as_str());
    }
    let bytes: Vec<&[u8]> = archives.iter().map(|archive| &archive[..]).collect();
    for (case, files) in cases.iter().zip(unpack_all(&bytes).into_iter().flatten()) {
        assert!(files == Files::from([(format!("CAS-{case}_CMP-{ACME}.pdf"), pdf.to_vec())]), "{:?}", files.keys());
    }
}

/// The only parameter of the header, after checking that it is a quoted string that needs no escape (RFC 6266).
fn file_name(archive: &Answer) -> String {
    let disposition = archive.header("content-disposition").expect("a name");
    let name = disposition.strip_prefix("attachment; filename=\"").and_then(|rest| rest.strip_suffix('"'));
    let name = name.unwrap_or_else(|| panic!("{disposition}"));
    let safe = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    assert!(!name.is_empty() && name.bytes().all(safe), "{name}");
    name.to_owned()
}

/// Pieces with a special meaning to shells, file systems, headers, terminals and URLs, combined at random, but the same
/// in every run.
fn hostile_tokens(count: usize) -> Vec<String> {
    const PIECES: [&str; 48] = [
        "..",
        ".",
        "~",
        "$(id)",
        "`id`",
        "; rm -rf .",
        "&& true",
        "|",
        ">",
        "<",
        "*",
        "?",
        "\"",
        "'",
        "\"; filename=\"a.exe",
        "filename*=UTF-8''x",
        "%2F",
        "%5C",
        "%00",
        "%0D%0A",
        "%",
        "+",
        " ",
        "  ",
        "#",
        "&x=1",
        "=",
        ":",
        "C:",
        "CON",
        "NUL.txt",
        "-rf",
        "--help",
        "@file",
        "{}",
        "[a]",
        "é",
        "ß",
        "中文",
        "🏠",
        "\u{202e}fdp",
        "\u{200b}",
        "\u{feff}",
        "e\u{301}",
        "\u{2044}",
        "／",
        "＼",
        "\u{10ffff}",
    ];
    let mut state = 500_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    // In a URL, `.` and `..` are steps, encoded or not: no client can request such a token.
    let is_step = |token: &str| token == "." || token == "..";
    let mut tokens: Vec<String> =
        PIECES.iter().filter(|piece| !is_step(piece)).map(|piece| (*piece).to_owned()).collect();
    tokens.extend(["x".repeat(255), "🏠".repeat(255), ".".repeat(255)]);
    while tokens.len() < count {
        let pieces = (0..=random(7)).map(|_| PIECES[random(PIECES.len())]);
        let token: String = pieces.collect();
        if !is_step(&token) && !tokens.contains(&token) {
            tokens.push(token);
        }
    }
    tokens
}

/// A path segment with every byte encoded except letters and digits.
fn percent_encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |encoded, byte| match byte {
        byte if byte.is_ascii_alphanumeric() => encoded + &char::from(byte).to_string(),
        byte => format!("{encoded}%{byte:02X}"),
    })
}
