//! The thresholds for doubts about a case, which an operator can set for a company.

use sealwright_plugin_sdk::signal::Error;
use serde::Deserialize;

/// The plugin's settings, with the defaults of [`SCHEMA`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Thresholds {
    pub(crate) camera_elsewhere_metres: u32,
    pub(crate) spread_kilometres: u32,
    pub(crate) move_metres: u32,
    pub(crate) fast_kilometres_an_hour: u32,
    pub(crate) clock_drift_minutes: u32,
    pub(crate) waiting_hours: u32,
    pub(crate) same_picture_distance: u8,
    pub(crate) near_picture_distance: u8,
    pub(crate) document_suspicion: u8,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            camera_elsewhere_metres: 500,
            spread_kilometres: 20,
            move_metres: 2_000,
            fast_kilometres_an_hour: 250,
            clock_drift_minutes: 5,
            waiting_hours: 48,
            same_picture_distance: 4,
            near_picture_distance: 7,
            document_suspicion: 30,
        }
    }
}

impl Thresholds {
    /// The host has validated the settings against the schema, so an error is the host's fault.
    pub(crate) fn read(settings: &str) -> Result<Self, Error> {
        serde_json::from_str(settings).map_err(|error| Error::InvalidInput(format!("the settings: {error}")))
    }
}

/// The schema that operators read, and that the host validates against.
#[cfg_attr(not(any(target_family = "wasm", test)), expect(dead_code, reason = "exported in the sandbox only"))]
pub(crate) const SCHEMA: &str = r#"{
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "camera_elsewhere_metres": {
      "description": "Maximum distance between the positions of camera and sender, in addition to their accuracies.",
      "type": "integer", "minimum": 0, "maximum": 5000, "default": 500
    },
    "spread_kilometres": {
      "description": "Maximum distance between the items of a case.",
      "type": "integer", "minimum": 0, "maximum": 20000, "default": 20
    },
    "move_metres": {
      "description": "A shorter distance between two items is not a journey, however fast.",
      "type": "integer", "minimum": 0, "maximum": 100000, "default": 2000
    },
    "fast_kilometres_an_hour": {
      "description": "Anyone who moved faster must have been in a fast train or an aeroplane.",
      "type": "integer", "minimum": 1, "maximum": 1000, "default": 250
    },
    "clock_drift_minutes": {
      "description": "Maximum error of a device's clock.",
      "type": "integer", "minimum": 0, "maximum": 1440, "default": 5
    },
    "waiting_hours": {
      "description": "Maximum time that an item may wait for a network before it is sent.",
      "type": "integer", "minimum": 0, "maximum": 8760, "default": 48
    },
    "same_picture_distance": {
      "description": "Maximum number of different bits, out of 64, in the hashes of two pictures of the same thing.",
      "type": "integer", "minimum": 0, "maximum": 7, "default": 4
    },
    "near_picture_distance": {
      "description": "The same for two pictures that are nearly alike. They lower the score less.",
      "type": "integer", "minimum": 0, "maximum": 7, "default": 7
    },
    "document_suspicion": {
      "description": "Minimum suspicion score for a suspect document.",
      "type": "integer", "minimum": 1, "maximum": 100, "default": 30
    }
  }
}"#;

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::*;

    fn with(change: &Value) -> Result<Thresholds, Error> {
        Thresholds::read(&change.to_string())
    }

    #[test]
    fn the_schema_lists_every_setting_with_its_default() {
        let schema: Value = serde_json::from_str(SCHEMA).unwrap();
        let usual: Map<String, Value> = schema["properties"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, property)| (name.clone(), property["default"].clone()))
            .collect();
        assert_eq!(usual.len(), 9);
        for (name, value) in &usual {
            assert_eq!(with(&json!({ name: value })).ok(), Some(Thresholds::default()), "{name}");
            assert_ne!(with(&json!({ name: 6 })).ok(), Some(Thresholds::default()), "{name} is not read");
        }
        assert_eq!(with(&Value::Object(usual)).ok(), Some(Thresholds::default()));
    }

    #[test]
    fn the_page_on_the_analysis_lists_every_setting_with_its_default() {
        const PAGE: &str = include_str!("../../../docs/analysis.md");
        let schema: Value = serde_json::from_str(SCHEMA).unwrap();
        for (name, property) in schema["properties"].as_object().unwrap() {
            let row = format!("| `{name}` | {} |", property["default"]);
            assert!(PAGE.contains(&row), "{row}");
        }
    }

    #[test]
    fn unknown_and_invalid_settings_are_rejected() {
        for wrong in [json!({ "clock": 1 }), json!({ "clock_drift_minutes": -1 }), json!("none")] {
            assert!(matches!(with(&wrong), Err(Error::InvalidInput(_))), "{wrong}");
        }
    }
}
