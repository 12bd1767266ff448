//! Checks that each migration after the last release only expands the schema, so that the last release can run next to
//! this program, and can be started again until it meets the newer schema (docs/adr/0057-upgrades.md).

use std::collections::BTreeSet;

use super::MIGRATIONS;

/// The newest migration of the last release, which made the installation in `tests/fixtures/upgrade`.
const RELEASED: i64 = 27;

/// Statements that do not only expand: the migration, the beginning of the statement, and why the last release works
/// all the same.
const EXCEPTIONS: &[(i64, &str, &str)] = &[];

/// The statements of a migration in lower case, each in one line and without comments.
fn statements(sql: &str) -> Vec<String> {
    let code: Vec<&str> = sql.lines().map(|line| line.split("--").next().unwrap_or_default()).collect();
    let one_line = |statement: &str| statement.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    code.join("\n").split(';').map(one_line).filter(|statement| !statement.is_empty()).collect()
}

/// The name that follows these words.
fn name_after<'s>(statement: &'s str, words: &str) -> Option<&'s str> {
    statement.strip_prefix(words)?.split([' ', '(']).next()
}

fn created_table(statement: &str) -> Option<&str> {
    name_after(statement, "create table ").or_else(|| name_after(statement, "create {{unlogged}} table "))
}

/// The tables that the last release uses.
fn released_tables() -> BTreeSet<String> {
    let released = MIGRATIONS.iter().filter(|(version, ..)| *version <= RELEASED);
    let all: Vec<String> = released.flat_map(|(.., sql)| statements(sql)).collect();
    all.iter().filter_map(|statement| created_table(statement)).map(str::to_owned).collect()
}

/// What a statement would change for the last release. None if it only expands.
fn objection(statement: &str, released: &BTreeSet<String>) -> Option<&'static str> {
    let is_released = |table: &str| released.contains(table);
    if created_table(statement).is_some() || statement.starts_with("create index ") {
        return None;
    }
    if let Some((_, table)) = statement.strip_prefix("create unique index ").and_then(|index| index.split_once(" on "))
    {
        let table = name_after(table, "").unwrap_or_default();
        return is_released(table).then_some("the last release may write rows that are not unique");
    }
    let written = name_after(statement, "insert into ").or_else(|| name_after(statement, "update "));
    if let Some(table) = written {
        return is_released(table).then_some("it writes rows that the last release also writes");
    }
    let altered = statement.strip_prefix("alter table ").and_then(|rest| rest.split_once(' '));
    match altered {
        Some((table, _)) if !is_released(table) => None,
        Some((_, change)) => change
            .strip_prefix("add column ")
            .map_or(Some("the last release uses the table as it was"), objection_to_column),
        None => Some("the check does not know whether it only expands"),
    }
}

fn objection_to_column(column: &str) -> Option<&'static str> {
    let has = |word: &str| column.split([' ', '(', ')', ',']).any(|part| part == word);
    if column.contains("not null") && !has("default") {
        Some("the last release inserts rows without the column")
    } else if has("unique") || has("check") {
        Some("the last release may write rows that violate it")
    } else {
        None
    }
}

#[test]
fn a_migration_after_the_last_release_only_expands() {
    let released = released_tables();
    let (mut problems, mut excused) = (Vec::new(), BTreeSet::new());
    for &(version, _, sql) in MIGRATIONS.iter().filter(|(version, ..)| *version > RELEASED) {
        for statement in statements(sql) {
            let Some(objection) = objection(&statement, &released) else { continue };
            let excuse = EXCEPTIONS
                .iter()
                .position(|&(of, start, reason)| of == version && statement.starts_with(start) && !reason.is_empty());
            match excuse {
                Some(position) => _ = excused.insert(position),
                None => problems.push(format!("migration {version}: {objection}: {statement}")),
            }
        }
    }
    assert!(problems.is_empty(), "CONTRIBUTING.md says how the schema is contracted:\n{}", problems.join("\n"));
    assert_eq!(excused.len(), EXCEPTIONS.len(), "an exception is not needed");
}

#[test]
fn contractions_are_found() {
    let released = released_tables();
    assert!(["cases", "rate_windows", "shadow_days"].iter().all(|table| released.contains(*table)), "{released:?}");
    let objections = |sql: &str| -> Vec<&'static str> {
        statements(sql).iter().filter_map(|statement| objection(statement, &released)).collect()
    };
    for contraction in [
        "drop table cases;",
        "drop index cases_by_company;",
        "alter table cases drop column title;",
        "alter table cases rename column title to name;",
        "ALTER TABLE cases\n  RENAME TO files;",
        "alter table cases add column language text not null;",
        "alter table cases add column number bigint unique;",
        "alter table cases add column number bigint default 1 check (number > 0);",
        "create unique index cases_by_title on cases (title);",
        "update cases set title = '';",
        "delete from cases;",
    ] {
        assert_eq!(objections(contraction).len(), 1, "{contraction}");
    }
    let expansion = "create table witnesses (id {{identity}}, name text not null unique); -- drop table cases;
        create unique index witnesses_by_name on witnesses (name);
        alter table witnesses drop column name;
        insert into witnesses (name) values ('one');
        alter table cases add column language text; -- not null
        alter table cases add column zone text not null default 'utc';
        create index cases_by_language on cases (language);";
    assert_eq!(objections(expansion), Vec::<&str>::new());
}
