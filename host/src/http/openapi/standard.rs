//! What many operations have in common: security, headers, and the answers that follow from the operations' table.

use axum::http::StatusCode;
use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

use super::{super::error::ErrorBody, super::guard::missing_right, super::rate_limit::TooManyRequests, example};
use crate::domain::operation::{Caller, Needs, Properties, Quota};

/// The name of the security scheme.
const BEARER: &str = "bearer";
/// The name of the security scheme of those who hold a link.
const LINK: &str = "link";
/// The names of the security schemes of field users.
const FIELD: &str = "fieldSession";
const CSRF: &str = "csrfToken";
/// The headers of every answer to a counted request.
const COUNTED: [&str; 3] = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
const REQUEST_ID: &str = "X-Request-Id";

/// The rights that an operation requires, as OpenAPI `security`: roles of one entry are needed together, entries are
/// alternatives.
pub(super) fn security(properties: &Properties) -> Value {
    let entry = |rights: &[_]| {
        let names: Vec<String> = rights.iter().map(ToString::to_string).collect();
        json!({ BEARER: names })
    };
    let of_users = |needs: Needs| match needs {
        Needs::All(rights) => vec![entry(rights)],
        Needs::Any(rights) => rights.iter().map(|right| entry(&[*right])).collect(),
    };
    let (link, is_safe) = (json!({ LINK: [] }), matches!(properties.method, "GET" | "HEAD"));
    let field = if is_safe { json!({ FIELD: [] }) } else { json!({ FIELD: [], CSRF: [] }) };
    Value::Array(match properties.caller {
        Caller::Public => Vec::new(),
        Caller::LinkHolder => vec![link],
        Caller::FieldUser => vec![field],
        Caller::LinkHolderOrFieldUser => vec![link, field],
        Caller::ApiUser(needs) => of_users(needs),
        Caller::ApiUserOrHolder(needs) => of_users(needs).into_iter().chain([link, field]).collect(),
    })
}

/// Rights and quota in words, as the end of an operation's description.
pub(super) fn conditions(properties: &Properties) -> String {
    let list = |rights: &[crate::domain::right::Right], word: &str| {
        rights.iter().map(|right| format!("`{right}`")).collect::<Vec<_>>().join(word)
    };
    let of_users = |needs: Needs| match needs {
        Needs::All(rights) => format!("Needs the right {}.", list(rights, " and ")),
        Needs::Any(rights) => format!("Needs the right {}.", list(rights, " or ")),
    };
    let rights = match properties.caller {
        Caller::Public => "No token is needed.".to_owned(),
        Caller::LinkHolder => "Needs the token of a link as the bearer token.".to_owned(),
        Caller::ApiUser(needs) => of_users(needs),
        Caller::FieldUser => "Needs the session of a field user.".to_owned(),
        Caller::LinkHolderOrFieldUser => {
            "Needs the token of a link as the bearer token, or the session of a field user.".to_owned()
        }
        Caller::ApiUserOrHolder(needs) => {
            of_users(needs) + " Or the token of a link as the bearer token, or the session of a field user."
        }
    };
    let quota = match properties.quota {
        Quota::PerCompany(most) => format!(" At most {most} requests in 60 seconds for each company."),
        Quota::PerAccessKey(most) => {
            format!(" At most {most} requests in 60 seconds for each key in the path, each link or each session.")
        }
        Quota::PerClient(most) => format!(" At most {most} requests in 60 seconds for each client."),
        Quota::Unlimited => " Not counted.".to_owned(),
    };
    rights + &quota
}

/// References to the headers of an answer. A refusal because of a missing token is not counted.
pub(super) fn headers(properties: &Properties, status: u16, more: &[&str]) -> Value {
    let counted = properties.quota != Quota::Unlimited && !(status == 401 && properties.caller != Caller::Public);
    let names = more.iter().chain(COUNTED.iter().filter(|_| counted)).chain([&REQUEST_ID]);
    let named = names.map(|name| ((*name).to_owned(), json!({ "$ref": format!("#/components/headers/{name}") })));
    Value::Object(named.collect())
}

/// The refusals that follow from the table: a missing right.
pub(super) fn refusals(properties: &Properties) -> Vec<(u16, &'static str, String)> {
    match properties.caller {
        Caller::ApiUser(needs) | Caller::ApiUserOrHolder(needs) => {
            vec![(403, "The account lacks the right.", missing_right(needs))]
        }
        Caller::LinkHolder => {
            vec![(403, "The link has expired, or the case is not on it.", "the link has expired".to_owned())]
        }
        Caller::LinkHolderOrFieldUser => vec![
            (403, "The link has expired, or the case is not on it.", "the link has expired".to_owned()),
            (403, "The case is not the user's, or its month has not come.", "the case is not one of yours".to_owned()),
            no_csrf(),
        ],
        Caller::FieldUser if properties.method == "GET" => Vec::new(),
        Caller::FieldUser => vec![no_csrf()],
        Caller::Public => Vec::new(),
    }
}

fn no_csrf() -> (u16, &'static str, String) {
    let message = "X-CSRF-Token must be the token of the session";
    (403, "The session of a field user without its CSRF token.", message.to_owned())
}

/// References to whole answers that are the same for all operations.
pub(super) fn shared_answers(properties: &Properties) -> Vec<(u16, Value)> {
    let reference = |name| json!({ "$ref": format!("#/components/responses/{name}") });
    let mut answers = Vec::new();
    if properties.caller != Caller::Public {
        answers.push((401, reference("Unauthenticated")));
    }
    if properties.quota != Quota::Unlimited {
        answers.push((429, reference("TooManyRequests")));
        answers.push((500, reference("InternalError")));
        answers.push((503, reference("Unavailable")));
    }
    answers
}

/// Everything under `components` except the schemas.
pub(super) fn components(schemas: &mut SchemaGenerator) -> Map<String, Value> {
    let error = schemas.subschema_for::<ErrorBody>();
    let too_many = schemas.subschema_for::<TooManyRequests>();
    let headers = |names: &[&str]| -> Value {
        let named =
            names.iter().map(|name| ((*name).to_owned(), json!({ "$ref": format!("#/components/headers/{name}") })));
        Value::Object(named.collect())
    };
    let standard = |status: StatusCode, message: &str| ErrorBody::new(status, message);
    let components = json!({
        "securitySchemes": { FIELD: {
            "type": "apiKey",
            "in": "cookie",
            "name": "sealwright-field",
            "description": "The session of a user of kind `field`, from `POST /v2/field/sign-in`. With an https base URL the cookie is \
                            called `__Host-sealwright-field`. A request with an `Authorization` header has no session.",
        }, CSRF: {
            "type": "apiKey",
            "in": "header",
            "name": "X-CSRF-Token",
            "description": "The `csrfToken` of the session, on every request that changes something.",
        }, LINK: {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "UUID v4",
            "description": "The token of a link, which is the last part of its `magicLinkUrl`. It gives access to the open cases on the link, \
                            and to nothing else.",
        }, BEARER: {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "JWT",
            "description": "A token from `POST /auth/token`. It is valid for an hour by default. There is no refresh: request another \
                            before it expires. The scopes that an operation lists are the rights that the account \
                            needs.",
        }},
        "headers": {
            "X-Request-Id": header("The request's identifier, also in the server's log. One that the client sends is kept if it has 1 to 128 \
                                    characters of `A-Za-z0-9._-`.", json!({ "type": "string" }), true),
            "X-RateLimit-Limit": header("The number of requests accepted in any 60 seconds.", json!({ "type": "integer", "minimum": 1 }), true),
            "X-RateLimit-Remaining": header("How many more requests would be accepted now.", json!({ "type": "integer", "minimum": 0 }), true),
            "X-RateLimit-Reset": header("Seconds until the oldest counted request leaves the window.",
                                        json!({ "type": "integer", "minimum": 0, "maximum": 60 }), true),
            "Retry-After": header("Seconds to wait before asking again.", json!({ "type": "integer", "minimum": 0 }), true),
            "WWW-Authenticate": header("`Bearer`.", json!({ "type": "string", "const": "Bearer" }), true),
            "ETag": header("Changes when the bytes do.", json!({ "type": "string" }), true),
            "Cache-Control": header("How long the response may be cached.", json!({ "type": "string" }), true),
            "Content-Disposition": header("The suggested file name.", json!({ "type": "string" }), true),
            "Content-Range": header("Which bytes these are, and the total number.", json!({ "type": "string" }), true),
            "Location": header("The upload's address, or the next page of a sign-in.",
                               json!({ "type": "string", "format": "uri-reference" }), true),
            "Upload-Offset": header("How many bytes have arrived.", json!({ "type": "integer", "minimum": 0 }), true),
            "Upload-Length": header("The length of the whole file in bytes.", json!({ "type": "integer", "minimum": 1 }), true),
            "Upload-Expires": header("When the upload is deleted unless another piece arrives, as an HTTP date. A finished upload does not \
                                      expire.", json!({ "type": "string" }), false),
            "Tus-Resumable": header("The version of tus.", json!({ "type": "string", "const": "1.0.0" }), true),
            "Tus-Version": header("The supported versions of tus.", json!({ "type": "string", "const": "1.0.0" }), true),
            "Tus-Extension": header("The supported extensions.", json!({ "type": "string" }), true),
            "Tus-Max-Size": header("The length of the largest file in bytes.", json!({ "type": "integer", "minimum": 1 }), true),
            "Tus-Checksum-Algorithm": header("The supported algorithms of `Upload-Checksum`.", json!({ "type": "string" }), true),
            "Idempotent-Replayed": header("`true` if the request was carried out before, and this is the answer of then.",
                                          json!({ "type": "string", "const": "true" }), false),
            "X-Total-Count": header("How many cases match, on all pages.", json!({ "type": "integer", "minimum": 0 }), true),
        },
        "responses": {
            "Unauthenticated": {
                "description": "The bearer token is missing, malformed, expired or wrongly signed, or the session has ended.",
                "headers": headers(&["WWW-Authenticate", REQUEST_ID]),
                "content": { "application/json": {
                    "schema": error,
                    "example": standard(StatusCode::UNAUTHORIZED, "a bearer token is required"),
                }},
            },
            "TooManyRequests": {
                "description": "More requests than the quota in the last 60 seconds. Wait for `Retry-After` seconds. A rejected request is \
                                not counted.",
                "headers": headers(&["Retry-After", COUNTED[0], COUNTED[1], COUNTED[2], REQUEST_ID]),
                "content": { "application/json": { "schema": too_many, "example": TooManyRequests::example(example::CREATED) } },
            },
            "InternalError": {
                "description": "The server failed. Its log names the cause under the response's `X-Request-Id`.",
                "headers": headers(&[REQUEST_ID]),
                "content": { "application/json": {
                    "schema": error,
                    "example": standard(StatusCode::INTERNAL_SERVER_ERROR, "internal error"),
                }},
            },
            "Unavailable": {
                "description": "A part that the server needs is unavailable or too slow: nothing was done, or the outcome is unknown. Try \
                                again after `Retry-After` seconds.",
                "headers": headers(&["Retry-After", REQUEST_ID]),
                "content": { "application/json": {
                    "schema": error,
                    "example": standard(StatusCode::SERVICE_UNAVAILABLE, "temporarily unavailable: database"),
                }},
            },
        },
    });
    match components {
        Value::Object(components) => components,
        _ => Map::new(),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "each schema is made for its one header")]
fn header(description: &str, schema: Value, required: bool) -> Value {
    json!({ "description": description, "required": required, "schema": schema })
}
