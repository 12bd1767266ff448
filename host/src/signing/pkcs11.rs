//! A key that never leaves its device: smart cards and HSMs with their common interface (PKCS #11 version 2.40), whose
//! library is loaded when the server starts.
//!
//! The device receives a digest, never a document. Its session is kept. If a signature fails (the card was pulled, the HSM
//! restarted), a new session is opened, and then the library is initialized again, before the failure is reported: some
//! libraries remember that a device was missing.

use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use cryptoki::{
    context::{CInitializeArgs, CInitializeFlags, Pkcs11},
    error::{Error, RvError},
    mechanism::{Mechanism, MechanismType},
    object::{Attribute, AttributeType, KeyType, ObjectClass, ObjectHandle},
    session::{Session, UserType},
    slot::Slot,
    types::AuthPin,
};
use parking_lot::Mutex;
use sealwright_seal::{
    Sha256Digest,
    pki::{SignError, SignatureAlgorithm, Signer, ecdsa_signature_der},
};

use crate::secrets::SecretString;

/// `DigestInfo` of a SHA-256 up to the digest itself (RFC 8017, section 9.2, note 1): for devices that do not hash.
const SHA_256_DIGEST_INFO: [u8; 19] =
    [0x30, 0x31, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04, 0x20];

/// Why a device has no key to sign with.
#[derive(Debug, thiserror::Error)]
pub enum Pkcs11Error {
    #[error("the library cannot be used: {0}")]
    Module(Error),
    #[error("no token has the label `{wanted}`; available: {present}")]
    NoToken { wanted: String, present: String },
    #[error("{count} tokens have the label `{wanted}`, expected one")]
    SeveralTokens { wanted: String, count: usize },
    #[error("the PIN of the token `{0}` is wrong; it is not tried again before a restart")]
    Pin(String),
    #[error("the PIN of the token `{0}` is locked after too many wrong ones")]
    PinLocked(String),
    #[error("the token `{token}` has no private key with the label `{key}`; is a PIN needed?")]
    NoKey { token: String, key: String },
    #[error("the token `{token}` has {count} private keys with the label `{key}`, expected one")]
    SeveralKeys { token: String, key: String, count: usize },
    #[error("the key `{0}` is neither an elliptic-curve nor an RSA key")]
    Kind(String),
    #[error("the device reports: {0}")]
    Device(#[from] Error),
}

/// Held during each call of a library, because none may be under way while it is finalized (PKCS #11, `C_Finalize`).
static CALL: Mutex<()> = Mutex::new(());

/// A private key in a device.
#[derive(Debug)]
pub(super) struct DeviceKey {
    module: Pkcs11,
    place: Place,
    kind: Kind,
    /// `None` after it broke.
    session: Mutex<Option<OpenSession>>,
}

/// Where the key is, from the settings.
#[derive(Debug)]
struct Place {
    token: String,
    key: String,
    pin: Option<SecretString>,
    /// Set when the device refused the PIN. It is not sent again: a token locks itself after a few wrong PINs, and a
    /// certificate that waits for its signature is tried without end.
    pin_is_wrong: AtomicBool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    EllipticCurve,
    /// The device hashes the few hundred bytes itself.
    RsaWithHash,
    /// The device expects a finished `DigestInfo`.
    Rsa,
}

#[derive(Debug)]
struct OpenSession {
    session: Session,
    key: ObjectHandle,
}

impl DeviceKey {
    /// Loads the library, and finds the one token and the one private key with these labels.
    pub(super) fn open(module: &Path, token: &str, key: &str, pin: Option<SecretString>) -> Result<Self, Pkcs11Error> {
        let _call = CALL.lock();
        let module = Pkcs11::new(PathBuf::from(module)).map_err(Pkcs11Error::Module)?;
        initialize(&module)?;
        let place = Place { token: token.to_owned(), key: key.to_owned(), pin, pin_is_wrong: AtomicBool::new(false) };
        let slot = place.slot(&module)?;
        let open = place.session(&module, slot)?;
        let kind = kind(&module, slot, &open, key)?;
        Ok(Self { module, place, kind, session: Mutex::new(Some(open)) })
    }

    /// Simulates a restart of the device, which ends all logins and invalidates the key's handle.
    #[cfg(test)]
    pub(super) fn log_out(&self) {
        self.module.open_ro_session(self.place.slot(&self.module).unwrap()).unwrap().logout().unwrap();
    }

    fn restart_library(&self) -> Result<(), Pkcs11Error> {
        // It fails if the last start of the library failed.
        let _ = self.module.clone().finalize();
        initialize(&self.module)
    }

    fn sign_once(&self, session: &mut Option<OpenSession>, message: &[u8]) -> Result<Vec<u8>, Pkcs11Error> {
        let open = match session.take() {
            Some(open) => open,
            None => self.place.session(&self.module, self.place.slot(&self.module)?)?,
        };
        let digest = Sha256Digest::of(message);
        let made = match self.kind {
            Kind::EllipticCurve => open.session.sign(&Mechanism::Ecdsa, open.key, digest.as_bytes())?,
            Kind::RsaWithHash => open.session.sign(&Mechanism::Sha256RsaPkcs, open.key, message)?,
            Kind::Rsa => {
                let info = [SHA_256_DIGEST_INFO.as_slice(), digest.as_bytes()].concat();
                open.session.sign(&Mechanism::RsaPkcs, open.key, &info)?
            }
        };
        *session = Some(open);
        Ok(made)
    }
}

fn initialize(module: &Pkcs11) -> Result<(), Pkcs11Error> {
    match module.initialize(CInitializeArgs::new(CInitializeFlags::OS_LOCKING_OK)) {
        // Another key of this process is behind the same library.
        Ok(()) | Err(Error::Pkcs11(RvError::CryptokiAlreadyInitialized, _)) => Ok(()),
        Err(error) => Err(Pkcs11Error::Module(error)),
    }
}

impl Signer for DeviceKey {
    fn algorithm(&self) -> SignatureAlgorithm {
        match self.kind {
            Kind::EllipticCurve => SignatureAlgorithm::EcdsaWithSha256,
            Kind::RsaWithHash | Kind::Rsa => SignatureAlgorithm::RsaWithSha256,
        }
    }

    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, SignError> {
        // After a panic there is no session; the next signature opens one.
        let mut session = self.session.lock();
        let _call = CALL.lock();
        let mut made = self.sign_once(&mut session, message);
        if made.is_err() {
            made = self.sign_once(&mut session, message);
        }
        if made.is_err() {
            made = self.restart_library().and_then(|()| self.sign_once(&mut session, message));
        }
        let made = made.map_err(|error| SignError::Key(error.to_string()))?;
        if self.kind != Kind::EllipticCurve {
            return Ok(made);
        }
        ecdsa_signature_der(&made)
            .ok_or_else(|| SignError::Key("the device's signature is not a pair of numbers".to_owned()))
    }
}

impl Place {
    fn slot(&self, module: &Pkcs11) -> Result<Slot, Pkcs11Error> {
        let mut labels = Vec::new();
        for slot in module.get_slots_with_token()? {
            labels.push((module.get_token_info(slot)?.label().to_owned(), slot));
        }
        let found: Vec<Slot> = labels.iter().filter(|(label, _)| *label == self.token).map(|(_, slot)| *slot).collect();
        match found.as_slice() {
            [slot] => Ok(*slot),
            [] => {
                let present: Vec<String> = labels.iter().map(|(label, _)| format!("`{label}`")).collect();
                let present = if present.is_empty() { "none".to_owned() } else { present.join(", ") };
                Err(Pkcs11Error::NoToken { wanted: self.token.clone(), present })
            }
            several => Err(Pkcs11Error::SeveralTokens { wanted: self.token.clone(), count: several.len() }),
        }
    }

    fn session(&self, module: &Pkcs11, slot: Slot) -> Result<OpenSession, Pkcs11Error> {
        let session = module.open_ro_session(slot)?;
        if let Some(pin) = &self.pin {
            if self.pin_is_wrong.load(Ordering::SeqCst) {
                return Err(Pkcs11Error::Pin(self.token.clone()));
            }
            match session.login(UserType::User, Some(&AuthPin::from(pin.expose()))) {
                // The login belongs to the process, not to the session.
                Ok(()) | Err(Error::Pkcs11(RvError::UserAlreadyLoggedIn, _)) => {}
                Err(Error::Pkcs11(RvError::PinIncorrect | RvError::PinInvalid | RvError::PinLenRange, _)) => {
                    self.pin_is_wrong.store(true, Ordering::SeqCst);
                    return Err(Pkcs11Error::Pin(self.token.clone()));
                }
                Err(Error::Pkcs11(RvError::PinLocked, _)) => return Err(Pkcs11Error::PinLocked(self.token.clone())),
                Err(error) => return Err(error.into()),
            }
        }
        let wanted = [Attribute::Class(ObjectClass::PRIVATE_KEY), Attribute::Label(self.key.clone().into_bytes())];
        let (token, key) = (self.token.clone(), self.key.clone());
        match session.find_objects(&wanted)?.as_slice() {
            [found] => Ok(OpenSession { key: *found, session }),
            [] => Err(Pkcs11Error::NoKey { token, key }),
            several => Err(Pkcs11Error::SeveralKeys { token, key, count: several.len() }),
        }
    }
}

fn kind(module: &Pkcs11, slot: Slot, open: &OpenSession, label: &str) -> Result<Kind, Pkcs11Error> {
    let attributes = open.session.get_attributes(open.key, &[AttributeType::KeyType])?;
    match attributes.as_slice() {
        [Attribute::KeyType(kind)] if *kind == KeyType::EC => Ok(Kind::EllipticCurve),
        [Attribute::KeyType(kind)] if *kind == KeyType::RSA => {
            let hashes = module.get_mechanism_list(slot)?.contains(&MechanismType::SHA256_RSA_PKCS);
            Ok(if hashes { Kind::RsaWithHash } else { Kind::Rsa })
        }
        _ => Err(Pkcs11Error::Kind(label.to_owned())),
    }
}
