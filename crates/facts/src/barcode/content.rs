//! What a code holds, before its place on the page is known.

/// The content of a code and its place, in dots.
pub(super) struct CodeContent {
    pub(super) text: String,
    pub(super) left: usize,
    pub(super) top: usize,
    pub(super) right: usize,
    pub(super) bottom: usize,
}
