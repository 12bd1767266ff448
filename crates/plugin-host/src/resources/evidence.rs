//! The resources `evidence` and `item`.

use std::sync::Arc;

use wasmtime::{Result, component::Resource};

use super::{HeldImage, count, window};
use crate::{
    bindings::analysis::sealwright::plugin::{
        evidence::{Client, Declaration, Device, DocumentOutcome, Host, HostEvidence, HostItem, NearDuplicate},
        facts::Position,
        stated::{self, StatedValue},
    },
    call::CallState,
    facts::{Evidence, Item},
    lower::Lower as _,
};

/// The resource `evidence`: the facts of one case, which all handles of a call share.
pub struct HeldEvidence(pub(crate) Arc<Evidence>);

/// The resource `item`.
pub struct HeldItem(Arc<Item>);

impl Host for CallState {}
impl stated::Host for CallState {}

impl CallState {
    fn held_evidence(&self, evidence: &Resource<HeldEvidence>) -> Result<&Evidence> {
        Ok(&self.resources.get(evidence)?.0)
    }

    fn held_item(&self, item: &Resource<HeldItem>) -> Result<&Item> {
        Ok(&self.resources.get(item)?.0)
    }
}

impl HostEvidence for CallState {
    fn reference(&mut self, evidence: Resource<HeldEvidence>) -> Result<String> {
        Ok(self.held_evidence(&evidence)?.reference.clone())
    }

    fn frame(&mut self, evidence: Resource<HeldEvidence>) -> Result<String> {
        Ok(self.held_evidence(&evidence)?.frame.clone())
    }

    fn opened_at(&mut self, evidence: Resource<HeldEvidence>) -> Result<u64> {
        Ok(self.held_evidence(&evidence)?.opened_at)
    }

    fn closed_at(&mut self, evidence: Resource<HeldEvidence>) -> Result<Option<u64>> {
        Ok(self.held_evidence(&evidence)?.closed_at)
    }

    fn declarations(&mut self, evidence: Resource<HeldEvidence>) -> Result<Vec<Declaration>> {
        let declarations = &self.held_evidence(&evidence)?.declarations;
        Ok(window(declarations, 0, |declaration| declaration.name.len() + declaration.value.len()))
    }

    fn item_count(&mut self, evidence: Resource<HeldEvidence>) -> Result<u32> {
        Ok(count(self.held_evidence(&evidence)?.items.len()))
    }

    fn item(&mut self, evidence: Resource<HeldEvidence>, index: u32) -> Result<Option<Resource<HeldItem>>> {
        let item = self.held_evidence(&evidence)?.items.get(index as usize).cloned();
        Ok(item.map(|item| self.resources.push(HeldItem(item))).transpose()?)
    }

    fn drop(&mut self, evidence: Resource<HeldEvidence>) -> Result<()> {
        self.resources.delete(evidence)?;
        Ok(())
    }
}

impl HostItem for CallState {
    fn id(&mut self, item: Resource<HeldItem>) -> Result<u64> {
        Ok(self.held_item(&item)?.id)
    }

    fn step(&mut self, item: Resource<HeldItem>) -> Result<u64> {
        Ok(self.held_item(&item)?.step)
    }

    fn step_title(&mut self, item: Resource<HeldItem>) -> Result<String> {
        Ok(self.held_item(&item)?.step_title.clone())
    }

    fn action(&mut self, item: Resource<HeldItem>) -> Result<String> {
        Ok(self.held_item(&item)?.action.clone())
    }

    fn value(&mut self, item: Resource<HeldItem>) -> Result<Option<String>> {
        Ok(self.held_item(&item)?.value.clone())
    }

    fn received_at(&mut self, item: Resource<HeldItem>) -> Result<u64> {
        Ok(self.held_item(&item)?.received_at)
    }

    fn position(&mut self, item: Resource<HeldItem>) -> Result<Option<Position>> {
        Ok(self.held_item(&item)?.position.lower())
    }

    fn device(&mut self, item: Resource<HeldItem>) -> Result<Option<Device>> {
        Ok(self.held_item(&item)?.device.lower())
    }

    fn client(&mut self, item: Resource<HeldItem>) -> Result<Option<Client>> {
        Ok(self.held_item(&item)?.client.lower())
    }

    fn media_type(&mut self, item: Resource<HeldItem>) -> Result<Option<String>> {
        Ok(self.held_item(&item)?.media_type.clone())
    }

    fn size(&mut self, item: Resource<HeldItem>) -> Result<Option<u64>> {
        Ok(self.held_item(&item)?.size)
    }

    fn sha256(&mut self, item: Resource<HeldItem>) -> Result<Option<Vec<u8>>> {
        Ok(self.held_item(&item)?.sha256.clone())
    }

    fn image(&mut self, item: Resource<HeldItem>) -> Result<Option<Resource<HeldImage>>> {
        let image = self.held_item(&item)?.image.clone();
        Ok(image.map(|image| self.resources.push(HeldImage(image))).transpose()?)
    }

    fn duplicates_known(&mut self, item: Resource<HeldItem>) -> Result<bool> {
        Ok(self.held_item(&item)?.near_duplicates.is_some())
    }

    fn near_duplicates(&mut self, item: Resource<HeldItem>) -> Result<Vec<NearDuplicate>> {
        let duplicates = self.held_item(&item)?.near_duplicates.as_deref().unwrap_or_default();
        Ok(window(duplicates, 0, |duplicate| duplicate.reference.len()))
    }

    fn document_outcome(&mut self, item: Resource<HeldItem>) -> Result<Option<DocumentOutcome>> {
        Ok(self.held_item(&item)?.document_outcome.lower())
    }

    fn stated_values(&mut self, item: Resource<HeldItem>, first: u32) -> Result<Vec<StatedValue>> {
        let stated = self.held_item(&item)?.stated.as_deref().unwrap_or_default();
        Ok(window(stated, first, |value| value.kind.len() + value.text.len() + value.value.len()))
    }

    fn field_codes(&mut self, item: Resource<HeldItem>) -> Result<Vec<String>> {
        Ok(self.held_item(&item)?.field_codes.clone())
    }

    fn drop(&mut self, item: Resource<HeldItem>) -> Result<()> {
        self.resources.delete(item)?;
        Ok(())
    }
}
