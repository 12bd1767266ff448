//! The contract (`wit/`) as Rust types. The host's side of its resources is in [`resources`](super::resources).

wasmtime::component::bindgen!({
    path: "../../wit",
    world: "webhook-auth",
    imports: { default: trappable },
    with: {
        "sealwright:plugin/content.content": super::resources::Content,
        "sealwright:plugin/credentials.credential": super::resources::HeldCredential,
        "sealwright:plugin/webhook.request": super::resources::HeldRequest,
    },
});

/// The roles of analysis. Separate, because their records contain no handles and so can be compared, stored and hashed.
pub(super) mod analysis {
    wasmtime::component::bindgen!({
        path: "../../wit",
        inline: "
            package sealwright:host;

            world analysis {
                include sealwright:plugin/document-type@0.1.3;
                include sealwright:plugin/verifying-cross-check@0.1.3;
                include sealwright:plugin/stating-cross-check@0.1.3;
                include sealwright:plugin/falsification@0.1.3;
                include sealwright:plugin/signal@0.1.3;
                include sealwright:plugin/configurable@0.1.3;
            }
        ",
        world: "sealwright:host/analysis",
        imports: { default: trappable },
        additional_derives: [PartialEq, Eq, serde::Serialize, serde::Deserialize],
        with: {
            "sealwright:plugin/types": super::sealwright::plugin::types,
            "sealwright:plugin/log": super::sealwright::plugin::log,
            "sealwright:plugin/content": super::sealwright::plugin::content,
            "sealwright:plugin/image.image": super::super::resources::HeldImage,
            "sealwright:plugin/image.raster": super::super::resources::HeldRaster,
            "sealwright:plugin/document.document": super::super::resources::HeldDocument,
            "sealwright:plugin/evidence.evidence": super::super::resources::HeldEvidence,
            "sealwright:plugin/evidence.item": super::super::resources::HeldItem,
        },
    });
}
