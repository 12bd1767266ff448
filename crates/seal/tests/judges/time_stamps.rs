//! RFC 3161 with OpenSSL on the other side.

use sealwright_seal::{
    Sha256Digest,
    pki::{PathError, TrustAnchor},
    tsp::{Request, ResponseError, Token, TokenError},
};

use crate::support::{Folder, authority, judge, now, random, sealing};

const PHOTO: &[u8] = b"the bytes of a photo";

#[test]
fn openssl_verifies_our_tokens_and_responses() {
    let folder = Folder::new();
    let seal = sealing("Example");
    folder.write("photo", PHOTO);
    folder.write("root.pem", seal.anchors[0].certificate.to_pem());
    let request = Request::new(Sha256Digest::of(PHOTO), random("nonce"));
    let response = seal.stamps.respond(&request.to_der(), random("serial"), now()).unwrap();
    folder.write("request.tsq", request.to_der());
    folder.write("response.tsr", &response);
    let at = (now().as_millis() / 1000).to_string();
    let trust = ["-CAfile", "root.pem", "-attime", &at];

    let to_request = [&["ts", "-verify", "-queryfile", "request.tsq", "-in", "response.tsr"][..], &trust].concat();
    let Some(verdict) = judge("openssl", &to_request, &folder) else { return };
    assert!(verdict.success && verdict.text.contains("Verification: OK"), "{verdict:?}");

    // The bare token, against the file itself; and not against another file.
    let token = request.accept(&response).unwrap();
    folder.write("token.der", token.der());
    let to_data = [&["ts", "-verify", "-data", "photo", "-in", "token.der", "-token_in"][..], &trust].concat();
    let verdict = judge("openssl", &to_data, &folder).unwrap();
    assert!(verdict.success, "{verdict:?}");
    folder.write("photo", b"another photo");
    assert!(!judge("openssl", &to_data, &folder).unwrap().success);
}

/// An authority by OpenSSL, with RSA, with SHA-512 inside, and with tokens in a form other than ours.
#[test]
fn a_foreign_authoritys_answer_is_accepted() {
    let folder = Folder::new();
    folder.write(
        "ts.cnf",
        "[req]\ndistinguished_name=dn\nprompt=no\n[dn]\nCN=Foreign root\n[root]\nbasicConstraints=critical,CA:true\n\
         keyUsage=critical,keyCertSign,cRLSign\nsubjectKeyIdentifier=hash\n[leaf]\nbasicConstraints=critical,CA:false\n\
         keyUsage=critical,digitalSignature\nextendedKeyUsage=critical,timeStamping\nsubjectKeyIdentifier=hash\n\
         [tsa]\ndefault_tsa=one\n[one]\nserial=serial\ncrypto_device=builtin\nsigner_cert=tsa.pem\ncerts=root.pem\n\
         signer_key=tsa.key\nsigner_digest=sha512\ndefault_policy=1.2.3.4.1\ndigests=sha256\naccuracy=secs:1,millisecs:500\n\
         clock_precision_digits=3\nordering=yes\ntsa_name=yes\ness_cert_id_chain=yes\ness_cert_id_alg=sha1\n",
    );
    folder.write("serial", "01\n");
    let make = |arguments: &str| {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let verdict = judge("openssl", &arguments, &folder)?;
        assert!(verdict.success, "{arguments:?}: {verdict:?}");
        Some(())
    };
    let root =
        "req -x509 -newkey rsa:2048 -nodes -keyout root.key -out root.pem -days 9 -config ts.cnf -extensions root";
    let Some(()) = make(root) else { return };
    make("req -new -newkey rsa:2048 -nodes -keyout tsa.key -out tsa.csr -subj /CN=Foreign -config ts.cnf");
    make(
        "x509 -req -in tsa.csr -CA root.pem -CAkey root.key -set_serial 7 -days 9 -out tsa.pem -extfile ts.cnf -extensions leaf",
    );

    let request = Request::new(Sha256Digest::of(PHOTO), random("nonce"));
    folder.write("request.tsq", request.to_der());
    make("ts -reply -queryfile request.tsq -out response.tsr -config ts.cnf -section one");
    let token = request.accept(&folder.read("response.tsr")).unwrap();
    assert_eq!(token.accuracy_millis(), Some(1500));
    assert_eq!(token.policy(), "1.2.3.4.1");

    let foreign = sealwright_seal::pki::Certificate::from_pem_chain(&String::from_utf8_lossy(&folder.read("root.pem")));
    let anchor = TrustAnchor { certificate: foreign.unwrap().remove(0), development: false };
    let verified = token.verify(&Sha256Digest::of(PHOTO), &[anchor]).unwrap();
    assert_eq!(verified.path.certificates.len(), 2);
    assert_eq!(verified.time, token.time());
    assert!(matches!(
        token.verify(&Sha256Digest::of(PHOTO), &sealing("Example").anchors),
        Err(TokenError::Path(PathError::Untrusted { .. }))
    ));
    // OpenSSL still accepts the stored token.
    folder.write("token.der", token.der());
    make("ts -verify -queryfile request.tsq -in token.der -token_in -CAfile root.pem");
    assert_eq!(Token::from_der(token.der()).unwrap(), token);

    // The same answer to another request.
    let other = Request::new(Sha256Digest::of(PHOTO), random("other nonce"));
    assert_eq!(other.accept(&folder.read("response.tsr")), Err(ResponseError::OtherNonce));
}

/// OpenSSL verifies our certificates.
#[test]
fn openssl_verifies_our_certificates() {
    let folder = Folder::new();
    let authority = authority("Example");
    folder.write("root.pem", authority.root.to_pem());
    folder.write("seal.pem", authority.signing.to_pem());
    folder.write("time.pem", authority.time_stamping.to_pem());
    let at = (now().as_millis() / 1000).to_string();
    for (certificate, purpose) in [("seal.pem", "smimesign"), ("time.pem", "timestampsign")] {
        let arguments =
            ["verify", "-x509_strict", "-attime", &at, "-purpose", purpose, "-CAfile", "root.pem", certificate];
        let Some(verdict) = judge("openssl", &arguments, &folder) else { return };
        assert!(verdict.success, "{certificate}: {verdict:?}");
    }
    let list = sealwright_seal::pki::revocation_list(
        &authority.root,
        &authority.root_key,
        3,
        now(),
        now().plus_days(30),
        &[(authority.signing.clone(), now())],
    );
    folder.write("root.crl", list.unwrap());
    let verdict = judge(
        "openssl",
        &["crl", "-inform", "DER", "-in", "root.crl", "-CAfile", "root.pem", "-noout", "-text"],
        &folder,
    );
    let verdict = verdict.unwrap();
    assert!(verdict.text.contains("verify OK"), "{verdict:?}");
    assert!(verdict.text.to_lowercase().contains(&authority.signing.serial_number()), "{verdict:?}");
}
