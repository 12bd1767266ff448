//! Revocation of certificates that an operator's own key seals: lists and OCSP responses, embedded in a file and
//! fetched by the server. The authority is OpenSSL.

use std::{
    fs,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};
use tokio_util::task::AbortOnDropHandle;

use crate::support::{
    TestServer,
    company_manifest::acme_on,
    judges::must,
    on_both_databases,
    proofs::{
        CONFIGURATION, SERIAL, Sealer, after, assert_finding, base_of, certificate, checked, make_chain,
        make_chain_with, make_root,
    },
};

on_both_databases!(
    an_ocsp_response_in_the_file_counts_if_it_is_current_and_from_the_issuer,
    decisions_14_lists_of_an_operator_s_authority_are_embedded_and_missing_ones_reported,
    decisions_14_a_responder_is_asked_if_an_authority_publishes_no_list,
);

/// Lines of an OpenSSL index, up to the serial number.
const GOOD: &str = "V\t351231235959Z\t";
const REVOKED: &str = "R\t351231235959Z\t200101000000Z";

async fn an_ocsp_response_in_the_file_counts_if_it_is_current_and_from_the_issuer(server: TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let Some(()) = make_chain(folder) else { return };
    // Another authority with the same name.
    make_root(folder, "other");
    must("openssl", "ocsp -issuer root.pem -cert seal.pem -no_nonce -reqout request.der", folder);
    let answer = |status: &str, responder: &str, validity: &str| {
        fs::write(folder.join("index.txt"), format!("{status}\t{SERIAL}\tunknown\t/CN=Acme\n")).unwrap();
        let signer = format!("-CA root.pem -rsigner {responder}.pem -rkey {responder}.key");
        let make = format!("ocsp -index index.txt {signer} -reqin request.der -respout answer.der {validity}");
        must("openssl", &make, folder);
        fs::read(folder.join("answer.der")).unwrap()
    };
    let root = folder.join("root.pem").display().to_string();
    let sealer = Sealer::new(&server, &folder.join("seal.key"), &folder.join("chain.pem"));
    let (api, _receiver) = acme_on(&server).await;
    let rendered = certificate(&api, "Martinel").await;

    let none = sealer.sealed(base_of(&rendered), sealer.now);
    // Within the tolerance of clocks, and after a response that was valid for a minute has expired.
    let later = after(sealer.now, 180);
    for (what, answers, at, code, status) in [
        ("none", vec![], sealer.now, 0, "unknown"),
        ("good", vec![answer(GOOD, "root", "-ndays 7")], after(sealer.now, 20), 0, "notRevoked"),
        ("revoked", vec![answer(REVOKED, "root", "-ndays 7")], sealer.now, 2, "revoked"),
        ("stale", vec![answer(GOOD, "root", "-nmin 1")], later, 0, "unknown"),
        ("wrong issuer", vec![answer(GOOD, "other", "-ndays 7")], sealer.now, 0, "unknown"),
        ("revoked by another issuer", vec![answer(REVOKED, "other", "-ndays 7")], sealer.now, 0, "unknown"),
        ("no answer at all", vec![b"\x30\x03\x0A\x01\x06".to_vec()], sealer.now, 0, "unknown"),
    ] {
        let stamped = if at == sealer.now { none.clone() } else { sealer.sealed(base_of(&rendered), at) };
        let pdf = sealer.archived(&stamped, answers, at);
        let report = checked(&server, "ocsp.pdf", &pdf, &["--trust", &root], code);
        assert_eq!(report["signature"]["revocation"]["status"], status, "{what}: {report}");
        if status == "unknown" {
            assert_finding(&report, "the file does not say whether a certificate of the signer");
        }
        if status == "revoked" {
            assert_eq!(report["signature"]["revocation"]["since"], "2020-01-01T00:00:00.000Z", "{report}");
            assert_finding(&report, "was revoked at 2020-01-01");
        }
    }
}

/// Answers every request with the bytes of a file, or with an error if the file is missing.
async fn serve_file(file: PathBuf) -> (u16, AbortOnDropHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let listening = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = Vec::new();
            while !request.ends_with(b"\r\n\r\n") && stream.read_buf(&mut request).await.unwrap_or(0) > 0 {}
            let (status, body) = fs::read(&file).map_or((500, Vec::new()), |list| (200, list));
            let head = format!("HTTP/1.1 {status} -\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
            let _ = stream.write_all(&[head.as_bytes(), &body].concat()).await;
        }
    });
    (port, AbortOnDropHandle::new(listening))
}

async fn decisions_14_lists_of_an_operator_s_authority_are_embedded_and_missing_ones_reported(mut server: TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (port, _publishing) = serve_file(folder.join("root.crl")).await;
    let authority = "[ca]\ndefault_ca=authority\n[authority]\ndatabase=revoked.txt\ncrlnumber=number\n\
                     default_md=sha256\ndefault_crl_days=30\n";
    let points = format!("crlDistributionPoints=URI:http://127.0.0.1:{port}/root.crl\n");
    let Some(()) = make_chain_with(folder, &format!("{CONFIGURATION}{points}{authority}")) else { return };
    fs::write(folder.join("revoked.txt"), "").unwrap();
    fs::write(folder.join("number"), "01\n").unwrap();
    must("openssl", "ca -gencrl -config ca.cnf -cert root.pem -keyfile root.key -out list.pem", folder);
    must("openssl", "crl -in list.pem -outform DER -out list.der", folder);
    for (name, file) in [("KEY", "seal.key"), ("CERTIFICATE_CHAIN", "chain.pem")] {
        server.set(&format!("SEALWRIGHT_SEAL_{name}"), &folder.join(file).display().to_string());
    }
    server.set("SEALWRIGHT_SEAL_REVOCATION_PRIVATE_ADDRESSES", "127.0.0.1");
    server.restart().await;
    let (api, _receiver) = acme_on(&server).await;

    // The authority's address fails: the case is still sealed, and the certificate does not claim long-term validity.
    let report = checked(&server, "without.pdf", &certificate(&api, "Martinel").await, &[], 0);
    assert_eq!((&report["level"], &report["signature"]["revocation"]["status"]), (&json!("B-T"), &json!("unknown")));
    assert_finding(&report, "the file does not say whether a certificate of the signer");

    // A new process does not know about this failure.
    fs::copy(folder.join("list.der"), folder.join("root.crl")).unwrap();
    server.restart().await;
    let pdf = certificate(&api, "Martinel").await;
    let report = checked(&server, "with.pdf", &pdf, &[], 0);
    assert_eq!(
        (&report["level"], &report["signature"]["revocation"]["status"]),
        (&json!("B-LTA"), &json!("notRevoked"))
    );
    fs::write(folder.join("certificate.pdf"), &pdf).unwrap();
    fs::copy(server.data_dir().join("development-authority/root.pem"), folder.join("time.pem")).unwrap();
    let judge = "sign adesverify --trust root.pem --trust time.pem certificate.pdf";
    if let Some(verdict) = must("pyhanko", judge, folder) {
        assert!(verdict.contains("INTACT:TRUSTED") && verdict.contains("EXTENDED_WITH_LTA_UPDATES"), "{verdict}");
    }
    // The list is cached: the next certificate has it while the address is down.
    fs::remove_file(folder.join("root.crl")).unwrap();
    let report = checked(&server, "remembered.pdf", &certificate(&api, "Martinel").await, &[], 0);
    assert_eq!(report["level"], "B-LTA", "{report}");
}

/// An OpenSSL responder: answers every request as the root, from the index in the folder, or with an error if there is
/// no index. Counts the requests.
async fn serve_ocsp(folder: PathBuf) -> (u16, Arc<AtomicUsize>, AbortOnDropHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let listening = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            count.fetch_add(1, Ordering::SeqCst);
            let request = whole_request(&mut stream).await;
            let (status, body) = if folder.join("index.txt").exists() {
                fs::write(folder.join("request.der"), request).unwrap();
                let make = "ocsp -index index.txt -CA root.pem -rsigner root.pem -rkey root.key -ndays 7";
                must("openssl", &format!("{make} -reqin request.der -respout answer.der"), &folder);
                (200, fs::read(folder.join("answer.der")).unwrap())
            } else {
                (500, Vec::new())
            };
            let head = format!("HTTP/1.1 {status} -\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
            let _ = stream.write_all(&[head.as_bytes(), &body].concat()).await;
        }
    });
    (port, asked, AbortOnDropHandle::new(listening))
}

/// The body of a request, whose headers must declare an OCSP request (RFC 6960, appendix A.1).
async fn whole_request(stream: &mut TcpStream) -> Vec<u8> {
    let mut request = Vec::new();
    loop {
        let read = stream.read_buf(&mut request).await.unwrap();
        assert_ne!(read, 0, "the request is incomplete: {}", String::from_utf8_lossy(&request));
        let Some(end) = request.windows(4).position(|window| window == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&request[..end]).to_lowercase();
        assert!(
            head.starts_with("post / http/1.1") && head.contains("content-type: application/ocsp-request"),
            "{head}"
        );
        let length =
            head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap().parse::<usize>().unwrap();
        if request.len() >= end + 4 + length {
            return request.split_off(end + 4);
        }
    }
}

async fn decisions_14_a_responder_is_asked_if_an_authority_publishes_no_list(mut server: TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (port, asked, _responding) = serve_ocsp(folder.to_owned()).await;
    let access = format!("authorityInfoAccess=OCSP;URI:http://127.0.0.1:{port}/\n");
    let Some(()) = make_chain_with(folder, &format!("{CONFIGURATION}{access}")) else { return };
    for (name, file) in [("KEY", "seal.key"), ("CERTIFICATE_CHAIN", "chain.pem")] {
        server.set(&format!("SEALWRIGHT_SEAL_{name}"), &folder.join(file).display().to_string());
    }
    let index = |status: &str| fs::write(folder.join("index.txt"), format!("{status}\t{SERIAL}\tunknown\t/CN=Acme\n"));
    server.restart().await;
    let (api, _receiver) = acme_on(&server).await;
    let level_and_status =
        |report: &Value| (report["level"].clone(), report["signature"]["revocation"]["status"].clone());

    // A private address is not called unless the operator allows it.
    let report = checked(&server, "unlisted.pdf", &certificate(&api, "Martinel").await, &[], 0);
    assert_eq!(level_and_status(&report), (json!("B-T"), json!("unknown")));
    assert_eq!(asked.load(Ordering::SeqCst), 0);
    server.set("SEALWRIGHT_SEAL_REVOCATION_PRIVATE_ADDRESSES", "10.0.0.0/8, 127.0.0.0/8");
    server.restart().await;

    let report = checked(&server, "without.pdf", &certificate(&api, "Martinel").await, &[], 0);
    assert_eq!(level_and_status(&report), (json!("B-T"), json!("unknown")));
    assert_ne!(asked.load(Ordering::SeqCst), 0);
    // The server reports the same as the check.
    assert!(server.log().contains("level=B-T") && !server.log().contains("level=B-LTA"), "{}", server.log());

    // A new process does not know about this failure. One response serves several certificates.
    index(GOOD).unwrap();
    server.restart().await;
    let before = asked.load(Ordering::SeqCst);
    for name in ["good.pdf", "good-again.pdf"] {
        let pdf = certificate(&api, "Martinel").await;
        assert_eq!(level_and_status(&checked(&server, name, &pdf, &[], 0)), (json!("B-LTA"), json!("notRevoked")));
        fs::write(folder.join("certificate.pdf"), &pdf).unwrap();
    }
    assert_eq!(asked.load(Ordering::SeqCst), before + 1);
    fs::copy(server.data_dir().join("development-authority/root.pem"), folder.join("time.pem")).unwrap();
    let judge = "sign adesverify --trust root.pem --trust time.pem certificate.pdf";
    if let Some(verdict) = must("pyhanko", judge, folder) {
        assert!(verdict.contains("INTACT:TRUSTED") && verdict.contains("EXTENDED_WITH_LTA_UPDATES"), "{verdict}");
    }

    // The authority's response is embedded, whatever it says.
    index(REVOKED).unwrap();
    server.restart().await;
    let report = checked(&server, "revoked.pdf", &certificate(&api, "Martinel").await, &[], 2);
    assert_eq!(report["signature"]["revocation"]["status"], "revoked", "{report}");
}
