//! The contract (`wit/`) as Rust types. The host's side of its resources is in [`resources`](super::resources).

wasmtime::component::bindgen!({
    path: "../wit",
    world: "webhook-auth",
    imports: { default: trappable },
    with: {
        "sealwright:plugin/content.content": super::resources::Content,
        "sealwright:plugin/credentials.credential": super::resources::HeldCredential,
        "sealwright:plugin/webhook.request": super::resources::HeldRequest,
    },
});
