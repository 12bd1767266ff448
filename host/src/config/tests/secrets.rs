//! No message and no description shows a password.

use super::*;

#[test]
fn a_wrong_database_url_is_not_printed() {
    let reported = problems(&with_variables(&[("SEALWRIGHT_DATABASE_URL", "mysql://u:s3cret@db/s")]));
    insta::assert_snapshot!(reported, @r#"SEALWRIGHT_DATABASE_URL: found another value (not shown), expected "sqlite://<path>" or "postgres://<user>:<password>@<host>/<database>""#);
}

#[test]
fn descriptions_hide_the_database_s_password() {
    let config = load(&with_variables(&[("SEALWRIGHT_DATABASE_URL", "postgres://u:s3cret@db/s")]));
    let described = serde_json::to_string(config.describe()).unwrap();
    assert!(described.contains("postgres://u:HIDDEN@db/s") && !described.contains("s3cret"), "{described}");
    assert!(!format!("{config:?}").contains("s3cret"));
}
