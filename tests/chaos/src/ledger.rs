//! What the server has answered for, made from the history: each case with its items, its closing and its deletion, and what
//! may have happened in addition.

use std::collections::{BTreeMap, BTreeSet};

use crate::history::{Content, Deed, Detail, Event, Moment, Outcome};

#[derive(Debug, Default)]
pub(crate) struct Ledger {
    pub(crate) cases: BTreeMap<i64, Case>,
    /// Marks of cases whose creation was not answered, with their companies.
    pub(crate) perhaps: BTreeSet<(i64, String)>,
    /// Contradictions within the answers themselves.
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
    pub(crate) perhaps_items: Vec<Content>,
    pub(crate) closing: Certainty,
    pub(crate) deletion: Certainty,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Certainty {
    No,
    Perhaps,
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
        match (&event.deed, &event.outcome) {
            (Deed::Create(marks), Outcome::Answered(_, Detail::Cases(created))) => {
                for (place, id) in created {
                    self.open(event, *id, marks.get(*place).cloned().unwrap_or_default());
                }
            }
            (Deed::Create(marks), _) if event.is_uncertain() => {
                self.perhaps.extend(marks.iter().map(|mark| (event.company, mark.clone())));
            }
            (Deed::Add { case, content }, Outcome::Answered(_, Detail::Item(item))) => {
                self.acknowledged += 1;
                let known = self.case(event, *case).and_then(|case| case.items.insert(*item, content.clone()));
                if known.is_some() {
                    self.contradictions.push((event.ended, format!("item {item} was given out twice")));
                }
            }
            (Deed::Add { case, content }, _) if event.is_uncertain() => {
                if let Some(case) = self.case(event, *case) {
                    case.perhaps_items.push(content.clone());
                }
            }
            (Deed::Close(case), _) => {
                let certainty = closing(event);
                self.acknowledged += usize::from(event.status() == Some(200));
                if let Some(case) = self.case(event, *case) {
                    case.closing = case.closing.max(certainty);
                }
            }
            (Deed::Delete(cases), _) => self.delete(event, cases),
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
            perhaps_items: Vec::new(),
            closing: Certainty::No,
            deletion: Certainty::No,
        };
        if self.cases.insert(id, case).is_some() {
            self.contradictions.push((event.ended, format!("case {id} was given out twice")));
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
                (false, true) => Certainty::Perhaps,
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
            self.contradictions.push((event.ended, format!("case {id} was used before it was answered for")));
        }
        self.cases.get_mut(&id)
    }
}

/// What an answer to a closing says. 'already closed' is as good as 200: an earlier request closed it.
fn closing(event: &Event) -> Certainty {
    match &event.outcome {
        Outcome::Answered(200, _) => Certainty::Yes,
        Outcome::Answered(400, Detail::Message(message)) if message.contains("already closed") => Certainty::Yes,
        _ if event.is_uncertain() => Certainty::Perhaps,
        _ => Certainty::No,
    }
}
