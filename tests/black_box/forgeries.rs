//! Access tokens that the server did not issue, or not in this form (spec 5, rule 1; decisions 2 and 3): each is
//! refused, and the answer does not say why.

use std::collections::BTreeSet;

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD},
};
use hyper::Method;
use serde_json::{Value, json};

use crate::support::{
    TestServer,
    client::send,
    company_manifest::{ACME_API, BOREALIS, BOREALIS_API, acme_on, borealis},
    jwt::{foreign_public_key, part, sign_ed25519, sign_hs256, signed_by_another_key, token_part},
    on_sqlite,
};

on_sqlite!(
    spec_5_rule_1_no_forged_token_is_accepted,
    a_token_changed_in_any_character_is_refused,
    the_header_has_one_token_and_the_scheme_bearer,
);

/// The order of Ed25519's group (RFC 8032, section 5.1), least significant byte first.
const GROUP_ORDER: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

async fn spec_5_rule_1_no_forged_token_is_accepted(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    server.must_apply(&borealis());
    let token = api.token.clone().unwrap();
    let other = server.sign_in(BOREALIS_API.username, BOREALIS_API.password).await.token.unwrap();
    let mut forged = unsigned(&token);
    forged.extend(of_other_algorithms(&token));
    forged.extend(of_another_key(&token));
    forged.extend(with_changed_claims(&token));
    forged.extend(mixed(&token, &other));
    forged.extend(encoded_differently(&token));
    forged.extend(with_changed_signature(&token));
    let distinct: BTreeSet<&String> = forged.iter().collect();
    assert_eq!(distinct.len(), forged.len(), "no forgery is tried twice");
    assert!(forged.len() >= 100, "{}", forged.len());
    let mut messages = BTreeSet::new();
    for forgery in &forged {
        assert_ne!(*forgery, token);
        let answer = api.with_token(Some(forgery)).get("/frames").await;
        assert_eq!(answer.status, 401, "{forgery}: {}", answer.text());
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{forgery}");
        messages.insert(answer.error_message());
    }
    assert_eq!(messages.len(), 1, "the answers show what was wrong: {messages:?}");
    // Valid tokens are still accepted, so the refusals were due to the forgeries.
    api.get("/frames").await.expect(200);
}

async fn a_token_changed_in_any_character_is_refused(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let token = api.token.clone().unwrap();
    for (place, letter) in token.char_indices() {
        // Not only the next letter of the alphabet: in the last letter of a part it may differ in unused bits only.
        let other = if letter == 'Q' { 'x' } else { 'Q' };
        let changed = format!("{}{other}{}", &token[..place], &token[place + 1..]);
        api.with_token(Some(&changed)).get("/frames").await.expect(401);
    }
}

async fn the_header_has_one_token_and_the_scheme_bearer(server: TestServer) {
    let (api, _receiver) = acme_on(&server).await;
    let token = api.token.clone().unwrap();
    let anonymous = api.with_token(None);
    let ask = |values: &[String]| {
        let request = anonymous.request(Method::GET, "/frames");
        values.iter().fold(request, |request, value| request.header("authorization", value))
    };
    // The scheme's case does not matter, nor how many spaces follow (RFC 9110, section 11; RFC 6750, section 2.1).
    for good in [format!("bearer {token}"), format!("BEARER {token}"), format!("Bearer  {token}")] {
        send(ask(&[good])).await.expect(200);
    }
    let good = format!("Bearer {token}");
    for bad in [
        vec![good.clone(), good.clone()],
        vec![good.clone(), "Bearer x".to_owned()],
        vec!["Bearer x".to_owned(), good.clone()],
        vec![good.clone(), String::new()],
        vec![String::new(), good.clone()],
        vec![format!("{good},")],
        vec![format!("{good}, {good}")],
        vec![format!("Bearer\t{token}")],
        vec![format!("Bearer:{token}")],
        vec![format!("Bearer=\"{token}\"")],
        vec![format!("Bearer \"{token}\"")],
        vec![format!("Bearer token={token}")],
        vec![format!("Token {token}")],
        vec![format!("DPoP {token}")],
        vec![format!("Basic {}", URL_SAFE.encode(format!("{}:{token}", ACME_API.username)))],
        vec![format!("xBearer {token}")],
    ] {
        let answer = send(ask(&bad)).await;
        assert_eq!(answer.status, 401, "{bad:?}: {}", answer.text());
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{bad:?}");
    }
    // Outside the header (RFC 6750 has three places; spec 5 names one).
    for elsewhere in ["x-access-token", "cookie", "proxy-authorization", "x-authorization"] {
        send(anonymous.request(Method::GET, "/frames").header(elsewhere, &good)).await.expect(401);
    }
    let form = format!("access_token={token}");
    anonymous.post_raw("/cases/create", "application/x-www-form-urlencoded", form).await.expect(401);
}

fn unsigned(token: &str) -> Vec<String> {
    let [header, claims, signature] = parts(token);
    let mut forged = vec![
        format!("{header}.{claims}."),
        format!("{header}.{claims}"),
        format!("{header}..{signature}"),
        format!(".{claims}.{signature}"),
        format!("{claims}.{signature}"),
        header.to_owned(),
        "..".to_owned(),
        format!("{token}."),
        format!(".{token}"),
        format!("{token}.{signature}"),
        // A JWE has five parts.
        format!("{header}.{claims}.{signature}.{claims}.{signature}"),
    ];
    for algorithm in ["none", "None", "NONE", "nOnE", ""] {
        let changed = changed_header(token, &[("alg", json!(algorithm))]);
        forged.extend(["", signature].map(|signature| format!("{changed}.{claims}.{signature}")));
    }
    forged
}

fn of_other_algorithms(token: &str) -> Vec<String> {
    let [_, claims, signature] = parts(token);
    let mut forged = Vec::new();
    for algorithm in ["HS256", "HS384", "HS512", "RS256", "PS256", "ES256", "ES384", "Ed25519", "eddsa", "EdDSA "] {
        forged.push(format!("{}.{claims}.{signature}", changed_header(token, &[("alg", json!(algorithm))])));
    }
    for algorithm in [json!(null), json!(["EdDSA"]), json!({ "EdDSA": true }), json!(0)] {
        forged.push(format!("{}.{claims}.{signature}", changed_header(token, &[("alg", algorithm)])));
    }
    // Symmetric signatures with keys that an attacker may know: a server that took the public key for a secret would
    // accept one of them.
    let mut header = token_part(token, 0);
    let kid = header["kid"].as_str().unwrap().to_owned();
    header["alg"] = json!("HS256");
    let issuer = token_part(token, 1)["iss"].as_str().unwrap().to_owned();
    for key in [&b""[..], b"secret", kid.as_bytes(), issuer.as_bytes(), ACME_API.password.as_bytes()] {
        forged.push(sign_hs256(&header, &token_part(token, 1), key));
    }
    forged
}

/// Correctly signed, but with another key than the server's; the header says in every known way where to find it.
fn of_another_key(token: &str) -> Vec<String> {
    let claims = token_part(token, 1);
    let key = json!({ "kty": "OKP", "crv": "Ed25519", "x": URL_SAFE_NO_PAD.encode(foreign_public_key()) });
    let mut headers = Vec::new();
    for more in [
        ("jwk", key.clone()),
        ("jku", json!("https://keys.example/jwks.json")),
        ("x5u", json!("https://keys.example/chain.pem")),
        ("x5c", json!([STANDARD_NO_PAD.encode(foreign_public_key())])),
        ("crit", json!(["exp"])),
        ("b64", json!(false)),
        ("kid", json!("../../../../dev/null")),
        ("kid", json!("' or '1'='1")),
        ("kid", json!("")),
        ("kid", json!(null)),
        ("kid", json!(1)),
        ("kid", json!(["a"])),
        ("typ", json!("at+jwt")),
    ] {
        let mut header = token_part(token, 0);
        header[more.0] = more.1;
        headers.push(header);
    }
    let mut without_kid = token_part(token, 0);
    without_kid.as_object_mut().unwrap().remove("kid");
    without_kid["jwk"] = key;
    headers.push(without_kid);
    let mut forged = vec![signed_by_another_key(token)];
    forged.extend(headers.iter().map(|header| sign_ed25519(header, &claims)));
    forged
}

fn with_changed_claims(token: &str) -> Vec<String> {
    let [header, claims, signature] = parts(token);
    let mut forged = Vec::new();
    for (claim, value) in [
        ("sub", json!(BOREALIS_API.user_id)),
        ("sub", json!([ACME_API.user_id])),
        ("sub", json!("")),
        ("sub", Value::Null),
        ("companyId", json!(BOREALIS)),
        ("companyId", json!("7")),
        ("companyId", json!([7, 8])),
        ("companyId", json!(-7)),
        ("scope", json!("p_api:case:delete")),
        ("scope", json!(["p_api:*"])),
        ("exp", json!(4_102_444_800_i64)),
        ("exp", json!(1e300)),
        ("exp", json!("never")),
        ("exp", Value::Null),
        ("iat", json!(0)),
        ("nbf", json!(4_102_444_800_i64)),
        ("iss", json!("https://somebody.example")),
        ("aud", json!("somebody")),
        ("admin", json!(true)),
    ] {
        let mut changed = token_part(token, 1);
        changed[claim] = value;
        forged.push(format!("{header}.{}.{signature}", part(&changed)));
    }
    let text = String::from_utf8(URL_SAFE_NO_PAD.decode(claims).unwrap()).unwrap();
    // The same claims written differently, and JSON that two readers parse differently.
    for rewritten in [format!(" {text}"), format!("{text} "), text.replacen('{', "{\"sub\":\"usr-borealis-api\",", 1)] {
        forged.push(format!("{header}.{}.{signature}", URL_SAFE_NO_PAD.encode(rewritten)));
    }
    forged
}

/// Parts of two good tokens.
fn mixed(token: &str, other: &str) -> Vec<String> {
    let ([header, claims, signature], [_, other_claims, other_signature]) = (parts(token), parts(other));
    vec![
        format!("{header}.{other_claims}.{signature}"),
        format!("{header}.{claims}.{other_signature}"),
        format!("{token}.{other}"),
        format!("{token},{other}"),
    ]
}

/// The same bytes in another encoding than a JWT has (RFC 7515, section 2: base64url without padding, nothing else).
fn encoded_differently(token: &str) -> Vec<String> {
    let [header, claims, signature] = parts(token);
    let bytes = URL_SAFE_NO_PAD.decode(signature).unwrap();
    let mut forged = vec![
        format!("{header}.{claims}.{signature}="),
        format!("{header}.{claims}.{signature}=="),
        format!("{header}=.{claims}.{signature}"),
        format!("{header}. {claims}.{signature}"),
        format!("{header}.{claims}. {signature}"),
        format!("{header} .{claims}.{signature}"),
        format!("{header}%2E{claims}%2E{signature}"),
        format!("\"{token}\""),
        format!("<{token}>"),
        token.to_uppercase(),
        token.to_lowercase(),
        hex::encode(token),
        "x".repeat(100),
        format!("{token}{}", "A".repeat(9_000)),
    ];
    // Each letter has six bits. Four bits of the last one are unused, and must be zero for the encoding to be unique.
    let last = signature.chars().last().unwrap();
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let at = alphabet.find(last).unwrap();
    forged.push(format!("{header}.{claims}.{}{}", &signature[..signature.len() - 1], &alphabet[at + 1..at + 2]));
    let standard = STANDARD_NO_PAD.encode(&bytes);
    if standard != signature {
        forged.push(format!("{header}.{claims}.{standard}"));
    }
    forged
}

fn with_changed_signature(token: &str) -> Vec<String> {
    let [header, claims, signature] = parts(token);
    let bytes = URL_SAFE_NO_PAD.decode(signature).unwrap();
    let mut identity = vec![0; 64];
    identity[0] = 1;
    let changed = [
        vec![0; 64],
        vec![0xff; 64],
        // The neutral point and zero: valid under a key that is a point of small order.
        identity,
        bytes[..63].to_vec(),
        [&bytes[..], &[0]].concat(),
        [&bytes[32..], &bytes[..32]].concat(),
        bytes.iter().rev().copied().collect(),
        bytes.iter().map(|byte| !byte).collect(),
        plus_group_order(&bytes),
    ];
    changed.iter().map(|bytes| format!("{header}.{claims}.{}", URL_SAFE_NO_PAD.encode(bytes))).collect()
}

/// The same signature with the group's order added to its scalar, which a lax verifier accepts (RFC 8032, section 8.4).
fn plus_group_order(signature: &[u8]) -> Vec<u8> {
    let (mut raised, mut carry) = (signature.to_vec(), 0);
    for (byte, order) in raised[32..].iter_mut().zip(GROUP_ORDER) {
        let sum = u16::from(*byte) + u16::from(order) + carry;
        *byte = u8::try_from(sum & 0xff).unwrap();
        carry = sum >> 8;
    }
    raised
}

fn changed_header(token: &str, changes: &[(&str, Value)]) -> String {
    let mut header = token_part(token, 0);
    for (name, value) in changes {
        header[*name] = value.clone();
    }
    part(&header)
}

fn parts(token: &str) -> [&str; 3] {
    token.split('.').collect::<Vec<_>>().try_into().expect("a JWT has three parts")
}
