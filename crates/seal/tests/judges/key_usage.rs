//! The key usage of signing certificates: we require the same as other readers before anything is signed. OpenSSL
//! creates the certificates, pyHanko is the judge.

use sealwright_seal::{
    Certificate,
    pades::{SignatureText, prepare_signature},
    pki::{Identity, IdentityError, PrivateKey, Purpose, doubts_about_signer},
};

use crate::{
    base_pdf::base_pdf,
    support::{Folder, judge, machine_time},
};

const CONFIGURATION: &str = "[req]\ndistinguished_name=dn\nprompt=no\n[dn]\nCN=Root\n\
    [root]\nbasicConstraints=critical,CA:true\nkeyUsage=critical,keyCertSign,cRLSign\nsubjectKeyIdentifier=hash\n\
    [leaf]\nsubjectKeyIdentifier=hash\n";

fn openssl(folder: &Folder, arguments: &str) -> Option<()> {
    let verdict = judge("openssl", &arguments.split(' ').collect::<Vec<_>>(), folder)?;
    assert!(verdict.success, "{arguments}: {verdict:?}");
    Some(())
}

/// An identity whose certificate has these extensions.
fn identity(folder: &Folder, extensions: &str) -> Option<Result<Identity, IdentityError>> {
    folder.write("ca.cnf", format!("{CONFIGURATION}{extensions}"));
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -config ca.cnf";
    openssl(folder, &format!("req -x509 {key} -keyout root.key -out root.pem -days 900 -extensions root"))?;
    openssl(folder, &format!("req -new {key} -keyout seal.key -out seal.csr -subj /CN=Acme"))?;
    let issue = "x509 -req -in seal.csr -CA root.pem -CAkey root.key -extfile ca.cnf -extensions leaf -days 400";
    openssl(folder, &format!("{issue} -set_serial 7 -out seal.pem"))?;
    let text = |name| String::from_utf8(folder.read(name)).unwrap();
    let certificate = |name| Certificate::from_pem_chain(&text(name)).unwrap().swap_remove(0);
    let key = PrivateKey::from_pem(&text("seal.key")).unwrap();
    let chain = vec![certificate("seal.pem"), certificate("root.pem")];
    Some(Identity::new(Box::new(key), chain, Purpose::DocumentSigning))
}

/// Whether pyHanko accepts a signature of this identity.
fn is_valid_to_pyhanko(folder: &Folder, identity: &Identity) -> Option<bool> {
    let text = SignatureText { name: "Acme", reason: "Sealed", time: machine_time() };
    let signed = prepare_signature(&base_pdf(&[]), &text).unwrap().sign(identity).unwrap();
    folder.write("signed.pdf", signed.finish(None).unwrap());
    let arguments = ["sign", "validate", "--trust", "root.pem", "--pretty-print", "signed.pdf"];
    let verdict = judge("pyhanko", &arguments, folder)?;
    Some(verdict.text.contains("judged VALID") && !verdict.text.contains("INVALID"))
}

#[test]
fn a_certificate_without_a_key_usage_cannot_sign() {
    let folder = Folder::new();
    let refused = |extensions| match identity(&folder, extensions)? {
        Ok(_) => panic!("{extensions}: it signs"),
        Err(error) => Some(error.to_string()),
    };
    let Some(error) = refused("basicConstraints=critical,CA:false\n") else { return };
    assert!(error.contains("it needs the key usage nonRepudiation"), "{error}");
    let error = refused("basicConstraints=critical,CA:false\nkeyUsage=critical,keyEncipherment\n").unwrap();
    assert!(error.contains("neither digitalSignature nor nonRepudiation"), "{error}");
}

#[test]
fn what_pyhanko_rejects_is_doubted_and_what_is_not_doubted_is_accepted() {
    let folder = Folder::new();
    let is_named = |doubts: &[&str], text: &str| doubts.iter().any(|doubt| doubt.contains(text));
    for (extensions, doubt, is_valid) in [
        ("basicConstraints=critical,CA:false\nkeyUsage=critical,digitalSignature\n", Some("nonRepudiation"), false),
        ("basicConstraints=critical,CA:false\nkeyUsage=critical,nonRepudiation\n", None, true),
        ("keyUsage=critical,digitalSignature,nonRepudiation\nextendedKeyUsage=emailProtection\n", None, true),
        // pyHanko accepts these two.
        ("keyUsage=critical,nonRepudiation\nextendedKeyUsage=1.3.6.1.5.5.7.3.36\n", Some("emailProtection"), true),
        ("basicConstraints=critical,CA:true\nkeyUsage=critical,nonRepudiation\n", Some("CA:TRUE"), true),
    ] {
        let Some(identity) = identity(&folder, extensions) else { return };
        let identity = identity.unwrap();
        let doubts = doubts_about_signer(identity.certificate());
        assert_eq!(doubts.len(), usize::from(doubt.is_some()), "{extensions}: {doubts:?}");
        assert!(doubt.is_none_or(|doubt| is_named(&doubts, doubt)), "{extensions}: {doubts:?}");
        let Some(valid) = is_valid_to_pyhanko(&folder, &identity) else { return };
        assert_eq!(valid, is_valid, "{extensions}");
    }
}
