//! What the field app calls.

use serde_json::json;

use super::capture::form;
use crate::{
    app::{
        capture::{
            LimitsView,
            field::{FieldCaseView, FieldCases, QuickCase},
        },
        session::field::{FieldUserView, SessionView},
    },
    clock::Timestamp,
    domain::{credentials::SignIn, field::NewQuickCase, id::UserId},
    http::field::FOREIGN_PAGE,
    http::openapi::{
        description::{Answer, Body, Content, Description, Query, Tag},
        example,
    },
};

/// 2026-12-20T10:00:00.000Z
const ENDS: Timestamp = Timestamp::from_millis(1_797_760_800_000);
const CAPTURE: &str = "7d444840-9dc0-41d1-b245-5ffdce74fad2";

pub(super) fn sign_in() -> Description {
    let example = json!({ "username": "flora", "password": "boots and a ladder" });
    Description {
        tag: Tag::Field,
        summary: "Sign a field user in",
        details: "Begins a session of a user of kind `field`. The answer sets its cookie, which scripts cannot read. Send `csrfToken` as \
                  `X-CSRF-Token` with every request that changes something. A sign-in counts against the quota of the user's company. \
                  Attempts with a wrong username or password are counted separately, by username and client address: at most 20 in \
                  60 seconds.",
        query: Vec::new(),
        body: Some(Body::json("Username and password of a field user.", example, SignIn::read)),
        answers: vec![Answer::json(200, "The session has begun.", &session_view())],
        refusals: vec![
            (401, "Username or password is wrong, or the user is not a field user.", "wrong username or password"),
            (403, "The request comes from a page of another site.", FOREIGN_PAGE),
        ],
        next: Vec::new(),
    }
}

pub(super) fn session() -> Description {
    Description {
        tag: Tag::Field,
        summary: "Read the session",
        details: "Who is signed in, and the CSRF token of the session.",
        query: Vec::new(),
        body: None,
        answers: vec![Answer::json(200, "The session.", &session_view())],
        refusals: Vec::new(),
        next: Vec::new(),
    }
}

pub(super) fn sign_out() -> Description {
    Description {
        tag: Tag::Field,
        summary: "Sign out",
        details: "Ends the session and removes its cookie. No body is needed.",
        query: Vec::new(),
        body: None,
        answers: vec![Answer {
            content: Content::Nothing,
            headers: &[],
            ..Answer::bytes(204, "The session has ended.", &[])
        }],
        refusals: Vec::new(),
        next: Vec::new(),
    }
}

pub(super) fn cases() -> Description {
    let example = FieldCases {
        user: user(),
        company_name: example::COMPANY_NAME.to_owned(),
        appearance: example::appearance(),
        server_time: example::CREATED,
        cases: vec![FieldCaseView {
            case_id: example::CASE,
            cf_ref: example::case_reference(),
            title: "Water damage".to_owned(),
            frame_id: example::FRAME,
            frame_name: "Water damage".to_owned(),
            created_at: example::CREATED,
            scheduled_at: None,
        }],
        forms: vec![form()],
        quick_forms: Vec::new(),
        limits: LimitsView::default(),
    };
    Description {
        tag: Tag::Field,
        summary: "List the user's open cases",
        details: "The open cases of the signed-in user, with their forms, so that a client can fill them without a network. A case with \
                  `scheduledAt` is listed from its month on; months are counted at UTC+2. Read, fill and close a case with the \
                  operations under `/v2/capture/cases` and `/v2/uploads`.",
        query: Vec::new(),
        body: None,
        answers: vec![Answer::json(200, "The cases.", &example)],
        refusals: Vec::new(),
        next: Vec::new(),
    }
}

pub(super) fn open_quick_case() -> Description {
    let body = json!({ "frameId": example::FRAME, "captureId": CAPTURE });
    let case = |closed: bool| QuickCase {
        case_id: example::CASE,
        cf_ref: example::case_reference(),
        closed,
        pdf_url: closed.then(|| example::url(&format!("/share/case/{}", example::KEY))),
    };
    Description {
        tag: Tag::Field,
        summary: "Open a case for one photo",
        details: "Opens a case of the signed-in user on a frame that is marked `quick`. Then send the photo with the same `captureId`, \
                  and close the case. The same `captureId` again opens nothing and says whether the case is closed, so a client can \
                  repeat any call whose answer was lost.",
        query: Vec::new(),
        body: Some(Body::json("The frame, and the identifier of the photo.", body, NewQuickCase::read)),
        answers: vec![
            Answer::json(201, "The case is open.", &case(false)),
            Answer::json(200, "The case was opened before.", &case(true)),
        ],
        refusals: vec![
            (400, "The frame is not marked `quick`.", "frame 70 is not marked `quick`"),
            (
                404,
                "The frame does not exist or is not shared with the company.",
                "frame 70 does not exist or is not shared with the company",
            ),
        ],
        next: Vec::new(),
    }
}

pub(super) fn page() -> Description {
    Description {
        tag: Tag::Field,
        summary: "Read the page of the field app",
        details: "The page on which users of kind `field` sign in and fill in their cases, even without a network.",
        query: Vec::new(),
        body: None,
        answers: vec![Answer {
            content: Content::Text("text/html"),
            headers: &["Cache-Control"],
            ..Answer::bytes(200, "A page.", &[])
        }],
        refusals: Vec::new(),
        next: Vec::new(),
    }
}

const NO_PROVIDER: &str = "signing in through an OpenID Connect provider is not set up";

pub(super) fn start() -> Description {
    Description {
        tag: Tag::Field,
        summary: "Begin a sign-in through the provider",
        details: "For browsers. Leads to the OpenID Connect provider of the server's settings, and sets a cookie for the way back. If \
                  the provider does not answer, or the request comes from a page of another site, it leads to `/field`.",
        query: vec![Query {
            name: "prompt",
            description: "`login`: the provider asks for the person's credentials even if it still knows the browser.",
            required: false,
            schema: json!({ "type": "string", "enum": ["login"] }),
        }],
        body: None,
        answers: vec![redirect("To the provider, or to `/field#sign-in-unavailable`.")],
        refusals: vec![(404, "The server has no provider.", NO_PROVIDER)],
        next: Vec::new(),
    }
}

pub(super) fn finish() -> Description {
    let parameter =
        |name, description| Query { name, description, required: false, schema: json!({ "type": "string" }) };
    Description {
        tag: Tag::Field,
        summary: "Finish a sign-in through the provider",
        details: "For browsers: the provider sends the person here. Begins the session of the field user whose `oidc_subject` in the \
                  company manifest is the `sub` of the provider's ID token. Needs the cookie of `GET /field/sign-in`, and works once. \
                  Leads to `/field`; if the sign-in failed, with a fragment that says why: `sign-in-unknown` (no company manifest \
                  has the person), `sign-in-unavailable` (the provider does not answer), `sign-in-unfinished` (begin again) or \
                  `sign-in-limited` (too many sign-ins). A HEAD request is refused.",
        query: vec![
            parameter("state", "From the address to which `GET /field/sign-in` leads."),
            parameter("code", "The provider's authorization code."),
            parameter("error", "The provider's error, in place of a code."),
            parameter("iss", "The provider's issuer (RFC 9207)."),
        ],
        body: None,
        answers: vec![redirect("To `/field`, signed in or with the reason.")],
        refusals: vec![(404, "The server has no provider.", NO_PROVIDER)],
        next: Vec::new(),
    }
}

fn redirect(description: &'static str) -> Answer {
    Answer {
        content: Content::Nothing,
        headers: &["Location", "Cache-Control"],
        ..Answer::bytes(303, description, &[])
    }
}

fn session_view() -> SessionView {
    SessionView {
        user: user(),
        company_name: example::COMPANY_NAME.to_owned(),
        csrf_token: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08".to_owned(),
        ends_at: ENDS,
    }
}

fn user() -> FieldUserView {
    FieldUserView { user_id: UserId::parse("usr-flora").expect("an identifier"), name: "Flora Field".to_owned() }
}
