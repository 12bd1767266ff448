use std::collections::BTreeSet;

use super::*;

/// The guide for operators lists each right with the operations that ask for it.
#[test]
fn the_guide_has_each_right_with_its_operations() {
    let guide = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/operator.md")).unwrap();
    let rows: Vec<Vec<&str>> = guide
        .lines()
        .filter(|line| line.starts_with("| `p_api:"))
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect();
    let listed: Vec<(&str, &str)> = rows.iter().map(|cells| (cells[0], cells[2])).collect();
    let expected: Vec<(String, String)> = Right::ALL
        .into_iter()
        .map(|right| {
            let asks = |row: &&Properties| match row.caller {
                Caller::ApiUser(needs) | Caller::ApiUserOrHolder(needs) => match needs {
                    Needs::All(rights) | Needs::Any(rights) => rights.contains(&right),
                },
                _ => false,
            };
            let operations: Vec<String> = TABLE.iter().filter(asks).map(|row| format!("`{}`", row.key())).collect();
            (format!("`{right}`"), operations.join(", "))
        })
        .collect();
    let expected: Vec<(&str, &str)> =
        expected.iter().map(|(right, operations)| (right.as_str(), operations.as_str())).collect();
    assert_eq!(listed, expected);
}

#[test]
fn the_table_is_in_the_order_of_the_enum() {
    for (position, properties) in Operation::all().iter().enumerate() {
        assert_eq!(properties.operation as usize, position, "{}", properties.key());
        assert_eq!(properties.operation.properties(), properties);
    }
    assert_eq!(Operation::CheckReadiness as usize + 1, Operation::all().len());
}

#[test]
fn no_two_operations_share_method_and_path() {
    let keys: BTreeSet<_> = Operation::all().iter().map(Properties::key).collect();
    assert_eq!(keys.len(), Operation::all().len());
}

#[test]
fn an_operation_is_found_by_the_specification_s_words() {
    let found = Operation::by_key("POST /v2/items/:caseId/document").unwrap();
    assert_eq!(found.operation, Operation::UploadDocument);
    assert_eq!(Operation::by_key("POST /v2/items/{caseId}/document"), None);
    assert_eq!(Operation::by_key("post /cases/create"), None);
}

#[test]
fn a_route_has_its_parameters_in_braces() {
    assert_eq!(Operation::CloseCaseByLink.properties().route(), "/cases/close/link/{magicLinkToken}");
    assert_eq!(Operation::SearchCases.properties().route(), "/cases");
    assert_eq!(Operation::RequestRetake.properties().pattern(), "/v2/items/{caseId}/retake");
}

#[test]
fn missing_and_foreign_resources_are_answered_as_specified() {
    use Kind::{AccessKey, Case, Company, Frame, Link, Report};
    use Operation as Op;
    let status = |refusal: Refusal| match refusal.answer {
        Answer::Invalid => 400,
        Answer::Forbidden => 403,
        Answer::NotFound => 404,
        Answer::Accepted => 500,
    };
    for (operation, kind, missing, foreign) in [
        (Op::CloseCase, Case, 400, 403),
        (Op::DeleteCase, Case, 400, 403),
        (Op::UpdateCase, Case, 404, 403),
        (Op::ReadAnalysis, Case, 404, 403),
        (Op::CreateEntryItem, Case, 404, 403),
        (Op::CloseCaseByLink, Link, 404, 403),
        (Op::CreateCase, Frame, 404, 404),
        (Op::DownloadReport, Report, 404, 403),
        (Op::SearchCases, Company, 403, 403),
        (Op::DownloadPackage, AccessKey, 404, 403),
        // Not in the row, because no answer would be right.
        (Op::CloseCase, Frame, 500, 500),
    ] {
        assert_eq!(status(operation.missing(kind, "x")), missing, "{operation:?}");
        assert_eq!(status(operation.foreign(kind, "x")), foreign, "{operation:?}");
    }
}

#[test]
fn a_head_closes_nothing() {
    let refused: Vec<_> = TABLE.iter().filter(|row| row.method == "GET" && !row.answers_head()).collect();
    let refused: Vec<_> = refused.iter().map(|row| row.operation).collect();
    assert_eq!(refused, [Operation::CloseCase, Operation::CloseCaseByLink, Operation::FinishFieldSignIn]);
    assert!(!Operation::CreateCase.properties().answers_head());
}

#[test]
fn the_quotas_are_those_of_spec_8() {
    let quota = |operation: Operation| operation.properties().quota;
    assert_eq!(quota(Operation::CreateToken), Quota::PerCompany(200));
    assert_eq!(quota(Operation::SearchCases), Quota::PerCompany(5));
    assert_eq!(quota(Operation::DownloadReport), Quota::PerCompany(25));
    assert_eq!(quota(Operation::ReadReport), Quota::PerAccessKey(100));
    assert_eq!(quota(Operation::ReadSharedCase), Quota::PerAccessKey(180));
    assert_eq!(quota(Operation::UpdateCase), Quota::PerCompany(60));
}
