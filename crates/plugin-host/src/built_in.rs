//! The plugins that are part of the program. `build.rs` embeds them.

/// Every built-in plugin: its name and its component.
pub(super) const COMPONENTS: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/built_in_plugins.rs"));

/// Whether a built-in webhook mode sends the secret itself (spec 6.3). The others only sign with it.
pub(super) fn reveals_secret(mode: &str) -> bool {
    matches!(mode, "bearer" | "security-token")
}
