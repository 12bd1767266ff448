//! Finding cases in the console by anything a person remembers (docs/adr/0042-word-index.md).
//!
//! A search has one of two plans. If a word or a filter is rare, its cases are read and the newest that pass are
//! returned. Otherwise the list is walked from its newest case downwards, where a frequent word is soon met. If few of the
//! first cases match, and a word or a filter is not too frequent, its cases are read after all. A walk is bounded: a page
//! may have fewer cases than fit, and continues further down.

pub mod export;
pub mod filters;
pub mod index;
#[cfg(test)]
mod tests;

use std::{cmp::Reverse, collections::BTreeMap, sync::Arc};

use super::{App, console::ConsoleUser};
pub use crate::store::case_search::ListedCase;
use crate::{
    app::audit::{self, Event},
    db::Reader,
    domain::{
        case_search::{
            CaseSearch, Place,
            about::{About, Met},
            words::{Term, exact_case},
        },
        console::Scope,
        id::{CaseId, CompanyId, FrameId},
    },
    error::Result,
    store::{
        self,
        case_search::{CaseFilter, FREQUENT, Part, SHOWN, WordRange},
    },
};

/// How many cases a page has.
pub const PAGE: usize = SHOWN;
/// What decides between the plans.
const LIMITS: Limits = Limits { rare: 2_000, frequent: FREQUENT, enough: 3, steps: [500, 4_500, 16_000, 64_000] };
/// A user with more companies walks the list of all companies.
const MOST_WALKED_COMPANIES: usize = 200;

/// A page of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CasePage {
    /// The newest first.
    pub cases: Vec<ListedCase>,
    /// On the first page: the case whose number or reference was searched. It may also be among the others.
    pub exact: Option<ListedCase>,
    /// Where the next page starts; none if this is the last.
    pub next: Option<Place>,
    /// Whether the walk ended before the page was full: older cases match too, perhaps.
    pub is_cut: bool,
    /// What the rows show of each case in addition to its columns.
    pub said: BTreeMap<CaseId, Said>,
}

/// Who a listed case is about, and where it has the searched words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    pub about: About,
    /// Empty if the row shows the words anyway.
    pub met: Vec<Met>,
}

/// When a word leads a search, and how far a walk goes.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// With at most this many cases, a word leads the search.
    rare: i64,
    /// With at most this many cases, a word leads the search if the first step of a walk finds too few.
    frequent: i64,
    /// How many matches of the first step are a reason to go on.
    enough: usize,
    /// How many cases a walk examines in one step, until a page is full.
    steps: [i64; 4],
}

/// A page of the user's cases that match.
///
/// # Errors
/// [`Error::NotFound`](crate::error::Error::NotFound) if the search names a company that is not the user's.
pub async fn search(app: &Arc<App>, user: &ConsoleUser, search: &CaseSearch) -> Result<CasePage> {
    let scope = scope(app, user, search).await?;
    let company = search.company.or(user.scope.company());
    audit::record_alone(app, &user.actor(), look("listCases", company, search)).await?;
    let mut reader = app.db.read().await?;
    let page = page(&mut reader, scope, search).await?;
    let said = said(&mut reader, search, &page).await?;
    Ok(CasePage { said, ..page })
}

/// Reads who the cases of a page are about, and where they have the words.
async fn said(reader: &mut Reader, search: &CaseSearch, page: &CasePage) -> Result<BTreeMap<CaseId, Said>> {
    let shown: Vec<&ListedCase> = page.cases.iter().collect();
    let mut said = BTreeMap::new();
    let terms = search.terms();
    for part in [shown, page.exact.iter().collect()] {
        let ids: Vec<CaseId> = part.iter().map(|case| case.id).collect();
        if ids.is_empty() {
            continue;
        }
        let sources = store::case_search::sources(reader, &ids).await?;
        for case in part {
            let Some(sources) = sources.get(&case.id) else { continue };
            let about = sources.about();
            let (reference, number) = (case.reference().to_string(), case.id.to_string());
            let columns = [&reference, &number, &case.title, &case.company_name, &case.frame_name];
            let columns = columns.into_iter().chain(&about.person).chain(&about.claim);
            let columns: Vec<&str> = columns.map(String::as_str).collect();
            let met = sources.met(&terms, &columns);
            said.insert(case.id, Said { about, met });
        }
    }
    Ok(said)
}

/// The record of a look at a list. The words may be a name or a token, so only their number is recorded.
fn look(action: &str, company: Option<CompanyId>, search: &CaseSearch) -> Event {
    let pairs = search.pairs().into_iter().map(|(name, value)| match name {
        "q" => format!("words={}", value.split_whitespace().count()),
        _ => format!("{name}={value}"),
    });
    let detail = pairs.collect::<Vec<_>>().join(", ");
    let event = Event::done(action, company, None);
    if detail.is_empty() { event } else { event.with_detail(detail) }
}

/// A page of the matching cases of these companies.
pub async fn page(reader: &mut Reader, scope: Scope, search: &CaseSearch) -> Result<CasePage> {
    page_within(reader, scope, search, LIMITS).await
}

async fn page_within(reader: &mut Reader, scope: Scope, search: &CaseSearch, limits: Limits) -> Result<CasePage> {
    let plan = Plan::make(reader, scope, search, limits).await?;
    let found = plan.find(reader, search.start(), PAGE).await?;
    let cases = store::case_search::read(reader, &found.places).await?;
    let exact = match search.after {
        None => exact(reader, scope, search).await?,
        Some(_) => None,
    };
    Ok(CasePage { cases, exact, next: found.next, is_cut: found.is_cut, said: BTreeMap::new() })
}

/// What the filters of a search can be chosen from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchChoices {
    /// The user's.
    pub companies: Vec<(CompanyId, String)>,
    /// Those of the company that is chosen, else of all; active or not, because old cases have them.
    pub frames: Vec<(FrameId, String)>,
}

/// The choices of the user's filters; `chosen` is the company of the search.
pub async fn choices(app: &App, user: &ConsoleUser, chosen: Option<CompanyId>) -> Result<SearchChoices> {
    let mut reader = app.db.read().await?;
    let companies = store::case_search::named_companies(&mut reader, user.scope).await?;
    let chosen = chosen.filter(|chosen| companies.iter().any(|(company, _)| company == chosen));
    let scope = chosen.map_or(user.scope, |id| Scope::Company { id, with_children: false });
    let frames = store::case_search::named_frames(&mut reader, scope).await?;
    Ok(SearchChoices { companies, frames })
}

/// The companies to search: those of the user, or the one that the search names.
async fn scope(app: &App, user: &ConsoleUser, search: &CaseSearch) -> Result<Scope> {
    let Some(company) = search.company else { return Ok(user.scope) };
    let company = user.company(app, company).await?;
    Ok(Scope::Company { id: company.id, with_children: false })
}

/// The case that is meant by a number or a reference alone.
async fn exact(reader: &mut Reader, scope: Scope, search: &CaseSearch) -> Result<Option<ListedCase>> {
    let Some(id) = exact_case(&search.text) else { return Ok(None) };
    let place = Place { id: id.get(), ..Place::START };
    let Some(case) = store::case_search::read(reader, &[place]).await?.pop() else { return Ok(None) };
    let is_own = store::case_search::companies(reader, scope).await?.contains(&case.company);
    Ok(is_own.then_some(case))
}

/// How the cases of a search are found.
enum Plan {
    /// No case can match.
    Nothing,
    /// From the cases that have a rare word.
    FromWord(WordPlan),
    /// From the newest case downwards.
    Walk { list: List, filter: CaseFilter, limits: Limits, otherwise: Option<WordPlan> },
}

/// From the cases that have a word.
struct WordPlan {
    scope: Scope,
    leading: WordRange,
    filter: CaseFilter,
}

/// Which list is walked.
enum List {
    Companies(Vec<CompanyId>),
    All(Scope),
}

/// Where the cases of a page are.
#[derive(Default)]
struct Found {
    places: Vec<Place>,
    next: Option<Place>,
    is_cut: bool,
}

impl Plan {
    async fn make(reader: &mut Reader, scope: Scope, search: &CaseSearch, limits: Limits) -> Result<Self> {
        let Some(words) = counted_words(reader, scope, &search.terms()).await? else { return Ok(Self::Nothing) };
        if words.is_empty() && !search.text.is_empty() {
            // Only characters that are not words.
            return Ok(Self::Nothing);
        }
        let mut leading = words.iter().min_by_key(|(_, count)| *count).cloned();
        // Counting the cases of a filter costs as much as reading a few hundred cases.
        if leading.as_ref().is_none_or(|(_, count)| *count > limits.rare / 10) {
            for attribute in search.attributes() {
                let range = WordRange::from(attribute);
                let count = store::case_search::count(reader, scope, &range).await?;
                if leading.as_ref().is_none_or(|(_, least)| count < *least) {
                    leading = Some((range, count));
                }
            }
        }
        let words: Vec<WordRange> = words.into_iter().map(|(range, _)| range).collect();
        let mut otherwise = None;
        if let Some((leading, count)) = leading.filter(|(_, count)| *count <= limits.frequent) {
            let others = words.iter().filter(|range| **range != leading).cloned().collect();
            let plan = WordPlan { scope, leading, filter: CaseFilter::new(search, others) };
            if count <= limits.rare {
                return Ok(Self::FromWord(plan));
            }
            otherwise = Some(plan);
        }
        let (list, filter) = (List::of(reader, scope).await?, CaseFilter::new(search, words));
        Ok(Self::Walk { list, filter, limits, otherwise })
    }

    /// The newest `most` cases after a place.
    async fn find(&self, reader: &mut Reader, after: Place, most: usize) -> Result<Found> {
        match self {
            Self::Nothing => Ok(Found::default()),
            Self::FromWord(plan) => plan.find(reader, after, most).await,
            Self::Walk { list, filter, limits, otherwise } => {
                let walked = walk(reader, (list, filter), *limits, otherwise.is_some(), after, most).await?;
                match (walked, otherwise) {
                    (None, Some(plan)) => plan.find(reader, after, most).await,
                    (walked, _) => Ok(walked.unwrap_or_default()),
                }
            }
        }
    }
}

impl WordPlan {
    async fn find(&self, reader: &mut Reader, after: Place, most: usize) -> Result<Found> {
        let Self { scope, leading, filter } = self;
        let part = Part { after, floor: Place::END, most: limit(most) };
        let places = store::case_search::from_word(reader, *scope, leading, filter, part).await?;
        Ok(Found::new(places, most))
    }
}

/// One more than fit, to know whether there is a next page.
fn limit(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX).saturating_add(1)
}

impl Found {
    /// The first `most` of these.
    fn new(mut places: Vec<Place>, most: usize) -> Self {
        let has_more = places.len() > most;
        places.truncate(most);
        let next = places.last().copied().filter(|_| has_more);
        Self { places, next, is_cut: false }
    }
}

/// The words that the cases must have, each with its number of cases. None if a word is in no case.
async fn counted_words(
    reader: &mut Reader,
    scope: Scope,
    terms: &[Term],
) -> sqlx::Result<Option<Vec<(WordRange, i64)>>> {
    let mut counted = Vec::with_capacity(terms.len());
    for term in terms {
        let whole = WordRange::beginning_with(&term.whole);
        let count = store::case_search::count(reader, scope, &whole).await?;
        if count > 0 {
            counted.push((whole, count));
            continue;
        }
        if term.parts.is_empty() {
            return Ok(None);
        }
        for part in &term.parts {
            let range = WordRange::beginning_with(part);
            match store::case_search::count(reader, scope, &range).await? {
                0 => return Ok(None),
                count => counted.push((range, count)),
            }
        }
    }
    Ok(Some(counted))
}

impl List {
    async fn of(reader: &mut Reader, scope: Scope) -> sqlx::Result<Self> {
        match scope {
            Scope::Installation => Ok(Self::All(scope)),
            Scope::Company { id, with_children: false } => Ok(Self::Companies(vec![id])),
            Scope::Company { with_children: true, .. } => {
                let companies = store::case_search::companies(reader, scope).await?;
                let is_short = companies.len() <= MOST_WALKED_COMPANIES;
                Ok(if is_short { Self::Companies(companies) } else { Self::All(scope) })
            }
        }
    }

    /// Where a step of about `cases` cases ends; none if it reaches the oldest case.
    async fn floor(&self, reader: &mut Reader, after: Place, cases: i64) -> sqlx::Result<Option<Place>> {
        let companies = match self {
            Self::All(_) => return store::case_search::floor_of_all(reader, after, cases).await,
            Self::Companies(companies) => companies,
        };
        // A step ends at the same place for all companies, so that its results are complete.
        let share = cases / i64::try_from(companies.len()).unwrap_or(cases).max(1);
        let mut highest = None;
        for company in companies {
            highest = highest.max(store::case_search::floor_of_company(reader, *company, after, share.max(10)).await?);
        }
        Ok(highest)
    }

    /// The newest cases of a part of the list.
    async fn part(&self, reader: &mut Reader, filter: &CaseFilter, part: Part) -> sqlx::Result<Vec<Place>> {
        let companies = match self {
            Self::All(scope) => return store::case_search::of_all(reader, *scope, filter, part).await,
            Self::Companies(companies) => companies,
        };
        let mut places = Vec::new();
        for company in companies {
            places.append(&mut store::case_search::of_company(reader, *company, filter, part).await?);
        }
        places.sort_unstable_by_key(|place| Reverse(*place));
        places.truncate(usize::try_from(part.most).unwrap_or(usize::MAX));
        Ok(places)
    }
}

/// Walks the list down from `after`, in steps that grow. None if it `may_give_up` and the first step finds too few.
async fn walk(
    reader: &mut Reader,
    (list, filter): (&List, &CaseFilter),
    limits: Limits,
    may_give_up: bool,
    after: Place,
    most: usize,
) -> Result<Option<Found>> {
    let (mut places, mut from) = (Vec::new(), after);
    for (number, cases) in limits.steps.into_iter().enumerate() {
        // Without a filter each case matches: nothing is examined in vain.
        let floor = if filter.is_empty() { None } else { list.floor(reader, from, cases).await? };
        let lacking = limit(most) - i64::try_from(places.len()).unwrap_or(i64::MAX);
        let part = Part { after: from, floor: floor.unwrap_or(Place::END), most: lacking };
        places.append(&mut list.part(reader, filter, part).await?);
        match floor {
            Some(floor) if places.len() <= most && floor.created_at >= filter.from => from = floor,
            _ => return Ok(Some(Found::new(places, most))),
        }
        if number == 0 && may_give_up && places.len() < limits.enough {
            return Ok(None);
        }
    }
    Ok(Some(Found { places, next: Some(from), is_cut: true }))
}
