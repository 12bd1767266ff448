//! The resources `image` and `raster`.

use std::sync::Arc;

use wasmtime::{Result, component::Resource};

use super::{Content, property_bytes, window};
use crate::{
    bindings::analysis::sealwright::plugin::{
        facts::{self, Measure, Property},
        findings,
        image::{self, Capture, EditorTrace, Encoding, HostImage, HostRaster, Segment},
        provenance::{self, Provenance},
    },
    call::CallState,
    facts::{Image, Raster},
    lower::Lower as _,
};

/// The resource `image`.
pub struct HeldImage(pub(super) Arc<Image>);

/// The resource `raster`. Its pixels are shared with the facts that it comes from.
pub struct HeldRaster(Raster);

impl facts::Host for CallState {}
impl findings::Host for CallState {}
impl provenance::Host for CallState {}
impl image::Host for CallState {}

impl CallState {
    fn held_image(&self, image: &Resource<HeldImage>) -> Result<Arc<Image>> {
        Ok(Arc::clone(&self.resources.get(image)?.0))
    }

    fn raster(&mut self, raster: Option<&Raster>) -> Result<Option<Resource<HeldRaster>>> {
        let raster = raster.map(|raster| self.resources.push(HeldRaster(raster.clone())));
        Ok(raster.transpose()?)
    }
}

impl HostImage for CallState {
    fn encoding(&mut self, image: Resource<HeldImage>) -> Result<Encoding> {
        Ok(self.held_image(&image)?.encoding().lower())
    }

    fn content(&mut self, image: Resource<HeldImage>) -> Result<Option<Resource<Content>>> {
        let content = self.held_image(&image)?.content.clone();
        Ok(content.map(|content| self.resources.push(Content(content.0))).transpose()?)
    }

    fn properties(&mut self, image: Resource<HeldImage>, first: u32) -> Result<Vec<Property>> {
        Ok(window(&self.held_image(&image)?.properties, first, property_bytes))
    }

    fn capture(&mut self, image: Resource<HeldImage>) -> Result<Option<Capture>> {
        Ok(self.held_image(&image)?.capture.lower())
    }

    fn measures(&mut self, image: Resource<HeldImage>, first: u32) -> Result<Vec<Measure>> {
        Ok(window(&self.held_image(&image)?.measures, first, |measure| measure.name.len()))
    }

    fn editor_traces(&mut self, image: Resource<HeldImage>) -> Result<Vec<EditorTrace>> {
        Ok(window(&self.held_image(&image)?.editor_traces, 0, |trace| trace.program.len() + trace.text.len()))
    }

    fn segments(&mut self, image: Resource<HeldImage>) -> Result<Vec<Segment>> {
        Ok(window(&self.held_image(&image)?.segments, 0, |segment| segment.name.len()))
    }

    fn provenance(&mut self, image: Resource<HeldImage>) -> Result<Option<Provenance>> {
        Ok(self.held_image(&image)?.provenance.lower())
    }

    fn overview(&mut self, image: Resource<HeldImage>) -> Result<Option<Resource<HeldRaster>>> {
        let image = self.held_image(&image)?;
        self.raster(image.overview.as_ref())
    }

    fn detail(&mut self, image: Resource<HeldImage>) -> Result<Option<Resource<HeldRaster>>> {
        let image = self.held_image(&image)?;
        self.raster(image.detail.as_ref())
    }

    fn drop(&mut self, image: Resource<HeldImage>) -> Result<()> {
        self.resources.delete(image)?;
        Ok(())
    }
}

impl HostRaster for CallState {
    fn width(&mut self, raster: Resource<HeldRaster>) -> Result<u32> {
        Ok(self.resources.get(&raster)?.0.width)
    }

    fn height(&mut self, raster: Resource<HeldRaster>) -> Result<u32> {
        Ok(self.resources.get(&raster)?.0.height)
    }

    fn channels(&mut self, raster: Resource<HeldRaster>) -> Result<u8> {
        Ok(self.resources.get(&raster)?.0.channels)
    }

    fn pixels(&mut self, raster: Resource<HeldRaster>) -> Result<Resource<Content>> {
        let pixels = self.resources.get(&raster)?.0.pixels.0.clone();
        Ok(self.resources.push(Content(pixels))?)
    }

    fn drop(&mut self, raster: Resource<HeldRaster>) -> Result<()> {
        self.resources.delete(raster)?;
        Ok(())
    }
}
