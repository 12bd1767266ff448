//! What the page calls. The module imports nothing: it can reach neither a network nor a file.
//!
//! The page reserves a place for bytes, writes them into the module's memory, and calls a function, which returns where
//! its answer is. A later call may overwrite the answer, and move the memory.
#![expect(unsafe_code, reason = "a name that is exported counts as unsafe; there is no unsafe block")]

use std::cell::RefCell;

use sealwright_seal::Sha256Hasher;
use sealwright_verification::CasePackageReader;

thread_local! {
    /// The module has one thread. Each instance has its own memory.
    static MEMORY: RefCell<Memory> = RefCell::new(Memory::default());
}

#[derive(Default)]
struct Memory {
    file: Vec<u8>,
    request: Vec<u8>,
    piece: Vec<u8>,
    hasher: Sha256Hasher,
    package: Option<CasePackageReader>,
    answer: String,
}

/// Reserves `length` bytes for the certificate (0), the request (1), or a piece of a file (2). Returns null if the
/// memory is used up.
#[unsafe(no_mangle)]
extern "C" fn reserve(place: u32, length: usize) -> *mut u8 {
    with_memory(std::ptr::null_mut(), |memory| {
        let bytes = match place {
            0 => &mut memory.file,
            1 => &mut memory.request,
            _ => &mut memory.piece,
        };
        bytes.clear();
        if bytes.try_reserve_exact(length).is_err() {
            return std::ptr::null_mut();
        }
        bytes.resize(length, 0);
        bytes.as_mut_ptr()
    })
}

/// Adds the piece to what is hashed.
#[unsafe(no_mangle)]
extern "C" fn hash_piece() {
    with_memory((), |memory| {
        let piece = std::mem::take(&mut memory.piece);
        memory.hasher.update(&piece);
        memory.piece = piece;
    });
}

/// The SHA-256 of all pieces since the last call.
#[unsafe(no_mangle)]
extern "C" fn finish_hash() -> *const u8 {
    answer(|memory| std::mem::take(&mut memory.hasher).finish().to_string())
}

/// Adds the piece to the package of a case.
#[unsafe(no_mangle)]
extern "C" fn package_piece() {
    with_memory((), |memory| {
        let package = memory.package.get_or_insert_with(crate::package_reader);
        package.update(&memory.piece);
    });
}

/// Where the certificate is in the package: JSON, null until it is known.
#[unsafe(no_mangle)]
extern "C" fn find_certificate() -> *const u8 {
    answer(|memory| crate::certificate_in(memory.package.as_ref()))
}

/// The answer to the request, about the package. The package is gone afterwards.
#[unsafe(no_mangle)]
extern "C" fn check_package() -> *const u8 {
    answer(|memory| {
        let package = memory.package.take().unwrap_or_else(crate::package_reader);
        crate::check_package(package, &memory.request)
    })
}

/// The text of the certificate's pages. The certificate is gone afterwards.
#[unsafe(no_mangle)]
extern "C" fn read_pages() -> *const u8 {
    answer(|memory| crate::read_pages(std::mem::take(&mut memory.file)))
}

/// The pictures that the certificate's pages show. The certificate is gone afterwards.
#[unsafe(no_mangle)]
extern "C" fn read_pictures() -> *const u8 {
    answer(|memory| crate::read_pictures(std::mem::take(&mut memory.file)))
}

/// The pictures among the originals inside the certificate.
#[unsafe(no_mangle)]
extern "C" fn read_originals() -> *const u8 {
    answer(|memory| crate::read_originals(&memory.file))
}

/// The answer to the request.
#[unsafe(no_mangle)]
extern "C" fn check() -> *const u8 {
    answer(|memory| crate::check(&memory.file, &memory.request))
}

/// Of the last answer, in bytes.
#[unsafe(no_mangle)]
extern "C" fn answer_length() -> usize {
    with_memory(0, |memory| memory.answer.len())
}

fn answer(make: impl FnOnce(&mut Memory) -> String) -> *const u8 {
    with_memory(std::ptr::null(), |memory| {
        memory.answer = make(memory);
        memory.answer.as_ptr()
    })
}

/// `otherwise` if a call is still running, which a page cannot cause.
fn with_memory<T>(otherwise: T, work: impl FnOnce(&mut Memory) -> T) -> T {
    MEMORY.with(|memory| memory.try_borrow_mut().map_or(otherwise, |mut memory| work(&mut memory)))
}
