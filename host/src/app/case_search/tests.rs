//! Searches against a naive oracle that looks at each case, on both databases and with both plans.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::*;
use crate::{
    clock::Timestamp,
    db::Db,
    domain::{
        analysis::TrustLevel,
        case::CaseReference,
        case_search::{
            Decision, Verdict,
            words::{Attribute, Words},
        },
        console::Outcome,
        id::{CaseId, UserId},
    },
    store::{case::NewCase, case_word, decision::NewDecision},
    test_database,
};

#[path = "../../../../tests/black_box/support/random.rs"]
#[expect(dead_code, reason = "the black-box tests need more of it")]
mod random;

use random::Random;

/// Few cases make a word frequent, and a walk is cut off soon.
const NARROW: Limits = Limits { rare: 3, frequent: 40, enough: 2, steps: [5, 10, 20, 40] };
const CASES: usize = 400;

const COMPANIES: &str = "
    insert into companies (id, name, parent_id, document_analysis, certificate_template, rate_limits, analysis, updated_at)
      values (1, 'Parent', null, false, 't', '{}', '{}', 0), (2, 'Child', 1, false, 't', '{}', '{}', 0),
             (3, 'Foreign', null, false, 't', '{}', '{}', 0);
    insert into users (id, company_id, name, kind, rights, logged_in, active)
      values ('field', 1, 'Zoë Müller', 'field', '[]', true, true), ('api', 1, 'Robot', 'api', '[]', true, true);
    insert into frames (id, company_id, name, shared_with_children, active, position)
      values (10, 1, 'Dégât des eaux', true, true, 0), (11, 1, 'Fire', true, true, 1), (30, 3, 'Theft', false, true, 0)";

/// A case as the oracle knows it.
struct Known {
    place: Place,
    company: i64,
    words: BTreeSet<String>,
    frame: i64,
    closed: bool,
    level: Option<TrustLevel>,
    decision: Option<Outcome>,
}

fn frame_id(id: i64) -> FrameId {
    FrameId::new(id).unwrap()
}

/// A word of letters with and without accents, of separators and digits.
fn word(random: &mut Random) -> String {
    const LETTERS: [&str; 12] = ["a", "b", "É", "œ", "ß", "1", "2", "-", "@", ".", "Z", "d"];
    let length = 1 + random.index(5);
    (0..length).map(|_| LETTERS[random.index(LETTERS.len())]).collect()
}

fn text(random: &mut Random, most: usize) -> String {
    let words: Vec<String> = (0..=random.index(most)).map(|_| word(random)).collect();
    words.join(" ")
}

async fn run(tx: &mut crate::db::Tx, statements: &str) {
    for statement in statements.split(';') {
        let statement: &'static str = statement.to_owned().leak();
        tx.query(statement).execute().await.unwrap();
    }
}

/// Fills the database with random cases and indexes them.
async fn fill(db: &Db, random: &mut Random) -> Vec<Known> {
    let mut tx = db.begin().await.unwrap();
    run(&mut tx, COMPANIES).await;
    let mut known = Vec::new();
    for number in 0..CASES {
        known.push(add_case(&mut tx, random, number).await);
    }
    while case_word::has_changes(&mut tx).await.unwrap() {
        for case in case_word::take_changes(&mut tx, 100).await.unwrap() {
            case_word::update(&mut tx, case).await.unwrap();
        }
    }
    tx.commit().await.unwrap();
    known
}

async fn add_case(tx: &mut crate::db::Tx, random: &mut Random, number: usize) -> Known {
    let company = [1, 1, 2, 3][random.index(4)];
    let frame = if company == 3 { 30 } else { [10, 11][random.index(2)] };
    let (title, key, value) = (text(random, 4), word(random), text(random, 3));
    let user = (company == 1).then(|| ["field", "api"][random.index(2)]);
    let metadata = Map::from_iter([(key, Value::from(value))]);
    // Several cases of one moment.
    let created_at = Timestamp::from_millis(i64::try_from(number / 3).unwrap());
    let new = NewCase {
        company: CompanyId::new(company).unwrap(),
        frame: frame_id(frame),
        title: title.clone(),
        user: user.and_then(UserId::parse),
        link: None,
        report_token: None,
        context: None,
        metadata: Some(metadata.clone()),
        scheduled_at: None,
        language: None,
        created_at,
    };
    let id = store::case::insert(tx, &new).await.unwrap();
    let mut words = Words::default();
    words.add_reference(CaseReference { case: id, company: new.company });
    words.add(&title);
    words.add_object(&metadata);
    words.add(match frame {
        10 => "Dégât des eaux",
        11 => "Fire",
        _ => "Theft",
    });
    if user == Some("field") {
        words.add("Zoë Müller");
    }
    let closed = random.index(2) == 0;
    if closed {
        tx.query("update cases set closed_at = 9 where id = $1").bind(id).execute().await.unwrap();
    }
    let level = judge(tx, random, id, new.company).await;
    let decision = decide(tx, random, id).await;
    let place = Place { created_at, id: id.get() };
    Known { place, company, words: words.into_inner(), frame, closed, level, decision }
}

async fn judge(tx: &mut crate::db::Tx, random: &mut Random, case: CaseId, company: CompanyId) -> Option<TrustLevel> {
    let score = [None, Some(10_u8), Some(50), Some(90)][random.index(4)];
    tx.query(
        "insert into case_analyses (case_id, company_id, closed_at, deadline, revision, notice, trust_score)
         values ($1, $2, 0, 0, 1, 1, $3)",
    )
    .bind(case)
    .bind(company)
    .bind(score.map(i64::from))
    .execute()
    .await
    .unwrap();
    score.map(TrustLevel::of)
}

/// Decides up to twice: the newest decision counts.
async fn decide(tx: &mut crate::db::Tx, random: &mut Random, case: CaseId) -> Option<Outcome> {
    let outcomes = [Outcome::Accepted, Outcome::Rejected, Outcome::Returned];
    let mut newest = None;
    for _ in 0..random.index(3) {
        let outcome = outcomes[random.index(3)];
        let decided_at = Timestamp::from_millis(0);
        let decision = NewDecision { case, outcome, reason: String::new(), decided_by: "x".to_owned(), decided_at };
        store::decision::insert(tx, &decision).await.unwrap();
        newest = Some(outcome);
    }
    newest
}

/// The matching cases, the newest first, by looking at each.
fn oracle(known: &[Known], scope: &[i64], search: &CaseSearch) -> Vec<i64> {
    let own: Vec<&Known> = known.iter().filter(|case| scope.contains(&case.company)).collect();
    let has = |case: &Known, prefix: &str| case.words.iter().any(|word| word.starts_with(prefix));
    let mut wanted = Vec::new();
    for term in search.terms() {
        if term.parts.is_empty() || own.iter().any(|case| has(case, &term.whole)) {
            wanted.push(term.whole);
        } else {
            wanted.extend(term.parts);
        }
    }
    if wanted.is_empty() && !search.text.is_empty() {
        return Vec::new();
    }
    let mut matching: Vec<Place> = own
        .into_iter()
        .filter(|case| wanted.iter().all(|prefix| has(case, prefix)))
        .filter(|case| search.frame.is_none_or(|frame| frame.get() == case.frame))
        .filter(|case| search.closed.is_none_or(|closed| closed == case.closed))
        .filter(|case| search.verdict.is_none_or(|Verdict(level)| level == case.level))
        .filter(|case| search.decision.is_none_or(|Decision(outcome)| outcome == case.decision))
        .map(|case| case.place)
        .collect();
    matching.sort_unstable_by_key(|place| Reverse(*place));
    matching.into_iter().map(|place| place.id).collect()
}

/// All pages of a search, one after the other.
async fn found(db: &Db, scope: Scope, search: &CaseSearch, limits: Limits) -> Vec<i64> {
    let mut reader = db.read().await.unwrap();
    let mut search = search.clone();
    let mut found = Vec::new();
    loop {
        let page = page_within(&mut reader, scope, &search, limits).await.unwrap();
        assert!(page.cases.len() <= PAGE && (page.cases.len() == PAGE || page.is_cut || page.next.is_none()));
        found.extend(page.cases.iter().map(|case| case.id.get()));
        match page.next {
            Some(next) => search.after = Some(next),
            None => return found,
        }
    }
}

fn random_search(random: &mut Random, known: &[Known]) -> CaseSearch {
    let texts: Vec<String> = (0..random.index(3))
        .map(|_| match random.index(3) {
            0 => word(random),
            1 => ["dégât", "ZOE", "mull", "robot", "cas-1", "theft", "!?"][random.index(7)].to_owned(),
            _ => {
                let words = &known[random.index(known.len())].words;
                let word: Vec<char> = words.iter().nth(random.index(words.len())).unwrap().chars().collect();
                word[..=random.index(word.len())].iter().collect()
            }
        })
        .collect();
    let sometimes = |random: &mut Random| random.index(4) == 0;
    CaseSearch {
        text: texts.join(" ").trim().to_owned(),
        frame: sometimes(random).then(|| frame_id([10, 11, 30][random.index(3)])),
        closed: sometimes(random).then(|| random.index(2) == 0),
        verdict: sometimes(random).then(|| Verdict::ALL[random.index(4)].1),
        decision: sometimes(random).then(|| Decision::ALL[random.index(4)].1),
        ..CaseSearch::default()
    }
}

async fn compare(db: &Db, searches: usize) {
    let mut random = Random::new(23);
    let known = fill(db, &mut random).await;
    let company = |id| CompanyId::new(id).unwrap();
    let scopes: [(Scope, &[i64]); 4] = [
        (Scope::Installation, &[1, 2, 3]),
        (Scope::Company { id: company(1), with_children: true }, &[1, 2]),
        (Scope::Company { id: company(1), with_children: false }, &[1]),
        (Scope::Company { id: company(3), with_children: true }, &[3]),
    ];
    let (mut hits, mut counts) = (0, BTreeMap::new());
    for number in 0..searches {
        let search = random_search(&mut random, &known);
        let (scope, companies) = scopes[number % scopes.len()];
        let limits = if random.index(2) == 0 { NARROW } else { LIMITS };
        let expected = oracle(&known, companies, &search);
        assert_eq!(found(db, scope, &search, limits).await, expected, "{search:?} in {companies:?}, {limits:?}");
        hits += usize::from(!expected.is_empty());
        *counts.entry(expected.len().min(60) / 20).or_insert(0) += 1;
    }
    // Otherwise the searches show nothing.
    assert!(hits > searches / 4 && hits < searches, "{hits} of {searches}");
    assert!(counts.len() == 4, "results of all lengths: {counts:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn searches_find_on_sqlite_what_a_naive_oracle_finds() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::open(&format!("sqlite://{}/test.db", folder.path().display())).await.unwrap();
    compare(&db, 10_000).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn searches_find_on_postgres_what_a_naive_oracle_finds() {
    if !test_database::is_there() {
        return;
    }
    let database = test_database::FreshDatabase::create();
    compare(&Db::open(&database.url()).await.unwrap(), 2_000).await;
}

#[tokio::test]
async fn the_words_of_a_deleted_case_are_gone_and_its_note_is_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::open(&format!("sqlite://{}/test.db", folder.path().display())).await.unwrap();
    fill(&db, &mut Random::new(1)).await;
    let mut tx = db.begin().await.unwrap();
    let (case, company): (CaseId, CompanyId) =
        tx.query("select id, company_id from cases order by id limit 1").one().await.unwrap();
    case_word::note_change(&mut tx, case).await.unwrap();
    store::case::delete(&mut tx, company, case).await.unwrap();
    let (left,): (i64,) =
        tx.query("select count(*) from case_words where case_id = $1").bind(case).one().await.unwrap();
    assert_eq!(left, 0);
    assert_eq!(case_word::take_changes(&mut tx, 10).await.unwrap(), BTreeSet::from([case]));
    assert_eq!(case_word::update(&mut tx, case).await.unwrap(), 0);
    assert!(!case_word::has_changes(&mut tx).await.unwrap());
}

#[tokio::test]
async fn a_change_writes_only_the_words_that_differ() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::open(&format!("sqlite://{}/test.db", folder.path().display())).await.unwrap();
    fill(&db, &mut Random::new(1)).await;
    let mut tx = db.begin().await.unwrap();
    let (case,): (CaseId,) =
        tx.query("select id from cases where closed_at is null order by id limit 1").one().await.unwrap();
    assert_eq!(case_word::update(&mut tx, case).await.unwrap(), 0);
    tx.query("update cases set closed_at = 5 where id = $1").bind(case).execute().await.unwrap();
    assert_eq!(case_word::update(&mut tx, case).await.unwrap(), 2, "open goes, closed comes");
    let words: Vec<(String,)> =
        tx.query("select word from case_words where case_id = $1").bind(case).all().await.unwrap();
    assert!(words.contains(&(Attribute::Closed(true).word(),)));
}
