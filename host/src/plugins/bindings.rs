//! The contract (`wit/`) as Rust types. The host's side of its resources is in [`webhook_auth`](super::webhook_auth).

wasmtime::component::bindgen!({
    path: "../wit",
    world: "webhook-auth",
    imports: { default: trappable },
    with: {
        "sealwright:plugin/content.content": super::webhook_auth::Content,
        "sealwright:plugin/credentials.credential": super::webhook_auth::HeldCredential,
        "sealwright:plugin/webhook.request": super::webhook_auth::HeldRequest,
    },
});
