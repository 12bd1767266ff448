//! What the server has acknowledged, computed from the history: each case with its items, its closing and its deletion;
//! and what may have happened in addition.

use std::collections::{BTreeMap, BTreeSet};

use crate::history::{Action, Content, Detail, Event, Moment, Outcome};

#[derive(Debug, Default)]
pub(crate) struct Ledger {
    pub(crate) cases: BTreeMap<i64, Case>,
    /// Marks of cases whose creation was not answered, with their companies.
    pub(crate) unconfirmed: BTreeSet<(i64, String)>,
    /// Contradictions between the answers themselves.
    pub(crate) contradictions: Vec<(Moment, String)>,
    /// Writes that were answered with success.
    pub(crate) acknowledged: usize,
}

#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) company: i64,
    pub(crate) mark: String,
    pub(crate) created: Moment,
    pub(crate) items: BTreeMap<i64, Content>,
    /// Items whose creation was not answered.
    pub(crate) unconfirmed_items: Vec<Content>,
    pub(crate) closing: Certainty,
    pub(crate) deletion: Certainty,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Certainty {
    No,
    Maybe,
    Yes,
}

impl Ledger {
    pub(crate) fn of(events: &[Event]) -> Self {
        let mut ledger = Self::default();
        let mut in_order: Vec<&Event> = events.iter().collect();
        in_order.sort_by_key(|event| event.ended);
        for event in in_order {
            ledger.note(event);
        }
        ledger
    }

    fn note(&mut self, event: &Event) {
        match (&event.action, &event.outcome) {
            (Action::Create(marks), Outcome::Answered(_, Detail::Cases(created))) => {
                for (place, id) in created {
                    self.open(event, *id, marks.get(*place).cloned().unwrap_or_default());
                }
            }
            (Action::Create(marks), _) if event.is_uncertain() => {
                self.unconfirmed.extend(marks.iter().map(|mark| (event.company, mark.clone())));
            }
            (Action::Add { case, content }, Outcome::Answered(_, Detail::Item(item))) => {
                self.acknowledged += 1;
                let known = self.case(event, *case).and_then(|case| case.items.insert(*item, content.clone()));
                if known.is_some() {
                    self.contradictions.push((event.ended, format!("item {item} was assigned twice")));
                }
            }
            (Action::Add { case, content }, _) if event.is_uncertain() => {
                if let Some(case) = self.case(event, *case) {
                    case.unconfirmed_items.push(content.clone());
                }
            }
            (Action::Close(case), _) => {
                let certainty = closing(event);
                self.acknowledged += usize::from(event.status() == Some(200));
                if let Some(case) = self.case(event, *case) {
                    case.closing = case.closing.max(certainty);
                }
            }
            (Action::Delete(cases), _) => self.delete(event, cases),
            _ => {}
        }
    }

    fn open(&mut self, event: &Event, id: i64, mark: String) {
        self.acknowledged += 1;
        let case = Case {
            company: event.company,
            mark,
            created: event.ended,
            items: BTreeMap::new(),
            unconfirmed_items: Vec::new(),
            closing: Certainty::No,
            deletion: Certainty::No,
        };
        if self.cases.insert(id, case).is_some() {
            self.contradictions.push((event.ended, format!("case {id} was assigned twice")));
        }
    }

    fn delete(&mut self, event: &Event, cases: &[i64]) {
        for id in cases {
            let deleted = match &event.outcome {
                Outcome::Answered(200, Detail::Deleted(deleted)) => deleted.contains(id),
                outcome => matches!(outcome, Outcome::Answered(200, _)),
            };
            let certainty = match (deleted, event.is_uncertain()) {
                (true, _) => Certainty::Yes,
                (false, true) => Certainty::Maybe,
                (false, false) => Certainty::No,
            };
            self.acknowledged += usize::from(deleted);
            if let Some(case) = self.case(event, *id) {
                case.deletion = case.deletion.max(certainty);
            }
        }
    }

    fn case(&mut self, event: &Event, id: i64) -> Option<&mut Case> {
        if !self.cases.contains_key(&id) {
            self.contradictions.push((event.ended, format!("case {id} was used before it was acknowledged")));
        }
        self.cases.get_mut(&id)
    }
}

/// Whether a request closed its case. 'already closed' counts like 200: an earlier request closed it.
fn closing(event: &Event) -> Certainty {
    match &event.outcome {
        Outcome::Answered(200, _) => Certainty::Yes,
        Outcome::Answered(400, Detail::Message(message)) if message.contains("already closed") => Certainty::Yes,
        _ if event.is_uncertain() => Certainty::Maybe,
        _ => Certainty::No,
    }
}
