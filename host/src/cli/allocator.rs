//! How the C library's allocator treats large buffers.

/// From this size on a buffer is a mapping of its own, which goes back to the system when it is freed.
#[cfg(target_env = "gnu")]
const OWN_MAPPING: libc::c_int = 1 << 20;

/// Makes glibc return large buffers to the system as soon as they are freed. By default, the first large buffer that is
/// freed raises the size up to which it keeps them, to 32 MiB: every thread that decoded a picture then keeps its
/// pixels.
#[cfg(target_env = "gnu")]
#[expect(unsafe_code, reason = "no library offers this call")]
pub(super) fn return_large_buffers() {
    // SAFETY: the call sets an allocator parameter, and no other thread runs yet. A result of 0 means that the value
    // is rejected; the allocator then works as it does without the call.
    let _ = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, OWN_MAPPING) };
}

/// Other C libraries return them by themselves.
#[cfg(not(target_env = "gnu"))]
pub(super) fn return_large_buffers() {}
