//! The measures of a photo by their names.

use sealwright_plugin_sdk::facts::Measure;

pub(crate) struct Measures(pub(crate) Vec<Measure>);

impl Measures {
    pub(crate) fn one(&self, name: &str) -> Option<i64> {
        self.0.iter().find(|measure| measure.name == name).map(|measure| measure.value)
    }

    pub(crate) fn all<'m>(&'m self, name: &'m str) -> impl Iterator<Item = &'m Measure> {
        self.0.iter().filter(move |measure| measure.name == name)
    }
}
