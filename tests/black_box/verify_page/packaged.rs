//! A package of a case, and every known way to change it.

use super::attacked::GivenFile;
use crate::support::{
    TestServer,
    asice::{ForgedPackage, forgeries, package},
    company_manifest::acme_on,
    proofs::Sealer,
};

pub(super) async fn files(server: &TestServer) -> Vec<GivenFile> {
    let (api, _receiver) = acme_on(server).await;
    let (own, other) = (package(&api, 1).await, package(&api, 2).await);
    let sealer = Sealer::of_server(server);
    let forged = forgeries(&own, &other, &|manifest| sealer.token(manifest));
    let mut files = vec![GivenFile { about: "a package".to_owned(), bytes: own, is_genuine: true }];
    files.extend(forged.into_iter().map(|ForgedPackage { about, bytes }| GivenFile {
        about: format!("package: {about}"),
        bytes,
        is_genuine: false,
    }));
    files
}
