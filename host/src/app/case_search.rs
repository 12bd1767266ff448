//! Finding cases in the console by anything a person remembers (docs/adr/0042-word-index.md).
//!
//! A search has one of two plans. If a word or a filter is rare, its cases are read and the newest that pass are
//! returned. Otherwise the list is walked from its newest case downwards, where a frequent word is soon met. A walk is
//! bounded: a page may have fewer cases than fit, and continues further down.

pub mod export;
pub mod filters;
pub mod index;
#[cfg(test)]
mod tests;

use std::{cmp::Reverse, sync::Arc};

use super::{App, console::ConsoleUser};
pub use crate::store::case_search::ListedCase;
use crate::{
    db::Reader,
    domain::{
        case_search::{
            CaseSearch, Place,
            words::{Term, exact_case},
        },
        console::Scope,
        id::{CompanyId, FrameId},
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
const LIMITS: Limits = Limits { rare: 5_000, frequent: FREQUENT, steps: [1_000, 4_000, 16_000, 64_000] };
/// A user with more companies walks the list of all companies.
const MOST_WALKED_COMPANIES: usize = 200;

/// A page of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CasePage {
    /// The newest first.
    pub cases: Vec<ListedCase>,
    /// The case whose number or reference was searched, if it is not among the others.
    pub exact: Option<ListedCase>,
    /// Where the next page starts; none if this is the last.
    pub next: Option<Place>,
    /// Whether the walk ended before the page was full: older cases match too, perhaps.
    pub is_cut: bool,
}

/// When a word leads a search, and how far a walk goes.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// With at most this many cases, a word leads the search even if nothing else narrows it.
    rare: i64,
    /// With at most this many cases, a word leads the search if something else narrows it.
    frequent: i64,
    /// How many cases a walk examines in one step, until a page is full.
    steps: [i64; 4],
}

/// A page of the user's cases that match.
///
/// # Errors
/// [`Error::NotFound`](crate::error::Error::NotFound) if the search names a company that is not the user's.
pub async fn search(app: &Arc<App>, user: &ConsoleUser, search: &CaseSearch) -> Result<CasePage> {
    let scope = scope(app, user, search).await?;
    let mut reader = app.db.read().await?;
    page(&mut reader, scope, search).await
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
        None => exact(reader, scope, search, &cases).await?,
        Some(_) => None,
    };
    Ok(CasePage { cases, exact, next: found.next, is_cut: found.is_cut })
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
async fn exact(
    reader: &mut Reader,
    scope: Scope,
    search: &CaseSearch,
    listed: &[ListedCase],
) -> Result<Option<ListedCase>> {
    let Some(id) = exact_case(&search.text) else { return Ok(None) };
    let place = Place { id: id.get(), ..Place::START };
    let Some(case) = store::case_search::read(reader, &[place]).await?.pop() else { return Ok(None) };
    let is_own = store::case_search::companies(reader, scope).await?.contains(&case.company);
    Ok((is_own && !listed.iter().any(|other| other.id == case.id)).then_some(case))
}

/// How the cases of a search are found.
enum Plan {
    /// No case can match.
    Nothing,
    /// From the cases that have a rare word.
    FromWord { scope: Scope, leading: WordRange, filter: CaseFilter },
    /// From the newest case downwards.
    Walk { list: List, filter: CaseFilter, steps: [i64; 4] },
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
        if let Some((leading, count)) = leading {
            let others = words.iter().filter(|range| **range != leading).cloned().collect();
            let filter = CaseFilter::new(search, others);
            if count <= limits.rare || (count <= limits.frequent && !filter.is_empty()) {
                return Ok(Self::FromWord { scope, leading, filter });
            }
        }
        let (list, filter) = (List::of(reader, scope).await?, CaseFilter::new(search, words));
        Ok(Self::Walk { list, filter, steps: limits.steps })
    }

    /// The newest `most` cases after a place.
    async fn find(&self, reader: &mut Reader, after: Place, most: usize) -> Result<Found> {
        match self {
            Self::Nothing => Ok(Found::default()),
            Self::FromWord { scope, leading, filter } => {
                let part = Part { after, floor: Place::END, most: limit(most) };
                let places = store::case_search::from_word(reader, *scope, leading, filter, part).await?;
                Ok(Found::new(places, most))
            }
            Self::Walk { list, filter, steps } => walk(reader, list, filter, *steps, after, most).await,
        }
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
        // A step ends at the same place for all companies, so that what it finds is complete.
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

/// Walks the list down from `after`, in steps that grow.
async fn walk(
    reader: &mut Reader,
    list: &List,
    filter: &CaseFilter,
    steps: [i64; 4],
    after: Place,
    most: usize,
) -> Result<Found> {
    let (mut places, mut from) = (Vec::new(), after);
    for cases in steps {
        // Without a filter each case matches: nothing is examined in vain.
        let floor = if filter.is_empty() { None } else { list.floor(reader, from, cases).await? };
        let lacking = limit(most) - i64::try_from(places.len()).unwrap_or(i64::MAX);
        let part = Part { after: from, floor: floor.unwrap_or(Place::END), most: lacking };
        places.append(&mut list.part(reader, filter, part).await?);
        match floor {
            Some(floor) if places.len() <= most && floor.created_at >= filter.from => from = floor,
            _ => return Ok(Found::new(places, most)),
        }
    }
    Ok(Found { places, next: Some(from), is_cut: true })
}
