//! The final output of the demo: where the certificate is, and how to continue by hand.

use serde_json::json;

use super::{company::Company, journey::Certificate};

pub(super) fn print(base_url: &str, company: &Company, certificate: &Certificate) {
    let Certificate { case_id, frame_id, url, file } = certificate;
    let credentials = json!({ "username": company.username, "password": company.password });
    println!(
        "
The certificate
  {url}
  {}

Pages
  {base_url}/console     the console
  {base_url}/field       the field app
  {base_url}/verify      check a certificate
  {base_url}/docs        the reference for programs

Continue by hand
  BASE={base_url}
  TOKEN=$(curl -s $BASE/auth/token -H 'Content-Type: application/json' -d '{credentials}' | sed 's/.*\"token\":\"\\([^\"]*\\)\".*/\\1/')
  curl -s $BASE/frames -H \"Authorization: Bearer $TOKEN\"
  curl -s $BASE/cases/create -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' -d '{{\"frameId\":{frame_id}}}'
  curl -s $BASE/cases/close/{case_id} -H \"Authorization: Bearer $TOKEN\"    # 400: a closed case stays closed
  curl -s -o certificate.pdf {url}
",
        file.display()
    );
}
