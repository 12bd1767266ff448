//! Searching cases in the console. Each query has one plan whatever the data (docs/adr/0042-word-index.md): scalar
//! sub-selects with a limit are look-ups that neither database turns into a join.

mod listed;
mod sources;
#[cfg(test)]
mod tests;

pub use self::{
    listed::{ListedCase, SHOWN, read},
    sources::sources,
};
use crate::{
    clock::Timestamp,
    db::{Query, Reader, Reading},
    domain::{
        case_search::{CaseSearch, Decision, MOST_TERMS, Place, words::Attribute},
        console::Scope,
        id::{CompanyId, FrameId},
    },
};

/// At how many cases counting stops: more are frequent.
pub const FREQUENT: i64 = 30_000;

/// A range of words: those that begin with a text, or one attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordRange {
    low: String,
    /// The first word after the range.
    high: String,
}

impl WordRange {
    /// The words that begin with this text.
    pub fn beginning_with(word: &str) -> Self {
        // The last character is greater than each one in a word.
        Self { low: word.to_owned(), high: format!("{word}\u{10ffff}") }
    }
}

impl From<Attribute> for WordRange {
    fn from(attribute: Attribute) -> Self {
        Self::beginning_with(&attribute.word())
    }
}

/// What the cases of a page must have, and where the page is.
#[derive(Clone, Debug)]
pub struct CaseFilter {
    pub frame: Option<FrameId>,
    pub closed: Option<bool>,
    /// The lowest and the highest score, where -1 means that there is no verdict.
    pub scores: Option<(i64, i64)>,
    /// `none` if no one has decided.
    pub decision: Option<&'static str>,
    /// Each must have one of its words in the case; at most [`MOST_TERMS`].
    pub words: Vec<WordRange>,
    /// Not before this moment.
    pub from: Timestamp,
}

impl CaseFilter {
    pub fn new(search: &CaseSearch, words: Vec<WordRange>) -> Self {
        Self {
            frame: search.frame,
            closed: search.closed,
            scores: search.verdict.map(|verdict| verdict.scores().into_inner()),
            decision: search.decision.map(Decision::name),
            words,
            from: search.first_moment(),
        }
    }

    /// Whether each case passes.
    pub fn is_empty(&self) -> bool {
        let Self { frame, closed, scores, decision, words, from: _ } = self;
        frame.is_none() && closed.is_none() && scores.is_none() && decision.is_none() && words.is_empty()
    }
}

/// One more word that the case must have: `$low` and `$high`, or nothing if `$low` is null.
macro_rules! has_word {
    ($case:literal, $low:literal, $high:literal) => {
        concat!(
            " and ($",
            $low,
            " is null or (select 1 from case_words x where x.case_id = ",
            $case,
            " and x.word >= $",
            $low,
            " and x.word < $",
            $high,
            " limit 1) = 1)"
        )
    };
}

/// The words from `$11` on.
macro_rules! has_words {
    ($case:literal) => {
        concat!(
            has_word!($case, 11, 12),
            has_word!($case, 13, 14),
            has_word!($case, 15, 16),
            has_word!($case, 17, 18),
            has_word!($case, 19, 20),
            has_word!($case, 21, 22),
            has_word!($case, 23, 24),
            has_word!($case, 25, 26),
            has_word!($case, 27, 28),
            has_word!($case, 29, 30)
        )
    };
}

/// The filters of a case `c`: `$1` to `$5`.
macro_rules! passes {
    () => {
        "($1 is null or c.frame_id = $1)
         and ($2 is null or (c.closed_at is not null) = $2)
         and ($3 is null or coalesce((select a.trust_score from case_analyses a where a.case_id = c.id), -1)
                            between $3 and $4)
         and ($5 is null or coalesce((select d.outcome from decisions d where d.case_id = c.id
                                      order by d.id desc limit 1), 'none') = $5)"
    };
}

/// From a place on, down to another: `$6` and `$7` are after it, `$8` and `$9` are within.
macro_rules! within {
    ($created_at:literal, $id:literal) => {
        concat!(
            $created_at,
            " <= $6 and (",
            $created_at,
            " < $6 or ",
            $id,
            " < $7) and ",
            $created_at,
            " >= $8 and (",
            $created_at,
            " > $8 or ",
            $id,
            " >= $9)"
        )
    };
}

/// How many entries of the index a range has, at most [`FREQUENT`] and one. The join's order is fixed for SQLite by
/// `cross`; PostgreSQL has no other good one.
const COUNT: &str = "select count(*) from (
      select 1 from companies o cross join case_words w
      where ($1 is null or o.id = $1 or ($2 and o.parent_id = $1))
        and w.company_id = o.id and w.word >= $3 and w.word < $4 limit 30001) as counted";

/// From the cases that have a word of a rare range.
const FROM_WORD: &str = concat!(
    "with candidate as materialized (
       select distinct w.case_id as id from companies o cross join case_words w
       where ($31 is null or o.id = $31 or ($32 and o.parent_id = $31))
         and w.company_id = o.id and w.word >= $33 and w.word < $34),
     dated as materialized (
       select k.id as id, (select c.created_at from cases c where c.id = k.id and ",
    passes!(),
    ") as created_at
       from candidate k where 1 = 1",
    has_words!("k.id"),
    ")
     select id, created_at from dated where created_at is not null and ",
    within!("created_at", "id"),
    " order by created_at desc, id desc limit $10"
);

/// From the newest case of a company downwards.
const OF_COMPANY: &str = concat!(
    "select c.id, c.created_at from cases c where c.company_id = $31 and ",
    within!("c.created_at", "c.id"),
    " and ",
    passes!(),
    has_words!("c.id"),
    " order by c.created_at desc, c.id desc limit $10"
);

/// From the newest case of all companies downwards; those of other companies than the user's are left out. The index
/// needs `id > 0`.
const OF_ALL: &str = concat!(
    "select c.id, c.created_at from cases c
     where c.id > 0 and ($31 is null or (select 1 from companies o where o.id = c.company_id
                              and (o.id = $31 or ($32 and o.parent_id = $31))) = 1) and ",
    within!("c.created_at", "c.id"),
    " and ",
    passes!(),
    has_words!("c.id"),
    " order by c.created_at desc, c.id desc limit $10"
);

const FLOOR_OF_COMPANY: &str = "select created_at, id from cases
     where company_id = $1 and created_at <= $2 and (created_at < $2 or id < $3)
     order by created_at desc, id desc limit 1 offset $4";

const FLOOR_OF_ALL: &str = "select created_at, id from cases
     where id > 0 and created_at <= $1 and (created_at < $1 or id < $2)
     order by created_at desc, id desc limit 1 offset $3";

/// The company and whether its children are included; no company for all.
fn scope(scope: Scope) -> (Option<CompanyId>, bool) {
    match scope {
        Scope::Installation => (None, true),
        Scope::Company { id, with_children } => (Some(id), with_children),
    }
}

/// How many entries of the index a range has, at most [`FREQUENT`] and one.
pub async fn count(reader: &mut Reader, companies: Scope, range: &WordRange) -> sqlx::Result<i64> {
    let (company, with_children) = scope(companies);
    let (count,) =
        reader.query(COUNT).bind(company).bind(with_children).bind(&range.low).bind(&range.high).one().await?;
    Ok(count)
}

/// The companies of a scope, by identifier.
pub async fn companies(reader: &mut Reader, companies: Scope) -> sqlx::Result<Vec<CompanyId>> {
    let (company, with_children) = scope(companies);
    let ids: Vec<(CompanyId,)> = reader
        .query(
            "select o.id from companies o where ($1 is null or o.id = $1 or ($2 and o.parent_id = $1)) order by o.id",
        )
        .bind(company)
        .bind(with_children)
        .all()
        .await?;
    Ok(ids.into_iter().map(|(id,)| id).collect())
}

/// How many companies or frames can be chosen from.
const MOST_CHOICES: i64 = 500;

/// The companies of a scope with their names, by name.
pub async fn named_companies(reader: &mut Reader, companies: Scope) -> sqlx::Result<Vec<(CompanyId, String)>> {
    let (company, with_children) = scope(companies);
    reader
        .query(
            "select o.id, o.name from companies o where ($1 is null or o.id = $1 or ($2 and o.parent_id = $1))
             order by o.name, o.id limit $3",
        )
        .bind(company)
        .bind(with_children)
        .bind(MOST_CHOICES)
        .all()
        .await
}

/// The frames on which the companies of a scope have or had cases, with their names, by name.
pub async fn named_frames(reader: &mut Reader, companies: Scope) -> sqlx::Result<Vec<(FrameId, String)>> {
    let (company, with_children) = scope(companies);
    reader
        .query(
            "select f.id, f.name from frames f
             where exists (select 1 from companies o
                           where ($1 is null or o.id = $1 or ($2 and o.parent_id = $1))
                             and (f.company_id = o.id or (f.shared_with_children and f.company_id = o.parent_id)))
             order by f.name, f.id limit $3",
        )
        .bind(company)
        .bind(with_children)
        .bind(MOST_CHOICES)
        .all()
        .await
}

/// A part of the list of cases: after `after` and not beyond `floor`.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub after: Place,
    pub floor: Place,
    pub most: i64,
}

/// The newest cases of a part that have a word of the range.
pub async fn from_word(
    reader: &mut Reader,
    companies: Scope,
    range: &WordRange,
    filter: &CaseFilter,
    part: Part,
) -> sqlx::Result<Vec<Place>> {
    let (company, with_children) = scope(companies);
    let query = bind_filter(reader.query(FROM_WORD), filter, part);
    let found = query.bind(company).bind(with_children).bind(&range.low).bind(&range.high).all().await?;
    Ok(places(found))
}

/// The newest cases of a part of a company's cases.
pub async fn of_company(
    reader: &mut Reader,
    company: CompanyId,
    filter: &CaseFilter,
    part: Part,
) -> sqlx::Result<Vec<Place>> {
    Ok(places(bind_filter(reader.query(OF_COMPANY), filter, part).bind(company).all().await?))
}

/// The newest cases of a part of all companies' cases.
pub async fn of_all(
    reader: &mut Reader,
    companies: Scope,
    filter: &CaseFilter,
    part: Part,
) -> sqlx::Result<Vec<Place>> {
    let (company, with_children) = scope(companies);
    Ok(places(bind_filter(reader.query(OF_ALL), filter, part).bind(company).bind(with_children).all().await?))
}

/// The place of the case that is `offset` cases after the one behind `after`; none if there are fewer.
pub async fn floor_of_company(
    reader: &mut Reader,
    company: CompanyId,
    after: Place,
    offset: i64,
) -> sqlx::Result<Option<Place>> {
    let query = reader.query(FLOOR_OF_COMPANY).bind(company).bind(after.created_at).bind(after.id).bind(offset);
    let row: Option<(Timestamp, i64)> = query.optional().await?;
    Ok(row.map(|(created_at, id)| Place { created_at, id }))
}

/// Like [`floor_of_company`], among the cases of all companies.
pub async fn floor_of_all(reader: &mut Reader, after: Place, offset: i64) -> sqlx::Result<Option<Place>> {
    let query = reader.query(FLOOR_OF_ALL).bind(after.created_at).bind(after.id).bind(offset);
    let row: Option<(Timestamp, i64)> = query.optional().await?;
    Ok(row.map(|(created_at, id)| Place { created_at, id }))
}

fn places(rows: Vec<(i64, Timestamp)>) -> Vec<Place> {
    rows.into_iter().map(|(id, created_at)| Place { created_at, id }).collect()
}

/// Binds `$1` to `$30`.
fn bind_filter<'c>(
    query: Query<'c, Reading>,
    filter: &CaseFilter,
    Part { after, floor, most }: Part,
) -> Query<'c, Reading> {
    let floor = floor.max(Place { created_at: filter.from, id: 0 });
    let mut query = query
        .bind(filter.frame)
        .bind(filter.closed)
        .bind(filter.scores.map(|(lowest, _)| lowest))
        .bind(filter.scores.map(|(_, highest)| highest))
        .bind(filter.decision)
        .bind(after.created_at)
        .bind(after.id)
        .bind(floor.created_at)
        .bind(floor.id)
        .bind(most);
    for position in 0..MOST_TERMS {
        let range = filter.words.get(position);
        query = query.bind(range.map(|range| range.low.as_str())).bind(range.map(|range| range.high.as_str()));
    }
    query
}
