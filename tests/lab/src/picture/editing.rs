//! The ways in which a photograph can be edited.

/// How a photograph was edited.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Editing {
    /// Nothing: as the camera wrote it.
    None,
    /// Nothing, but its metadata was removed.
    Bare,
    /// Nothing: taken at night, with much noise.
    Night,
    /// Nothing: it shows something with a fine regular pattern.
    Pattern,
    /// A messenger compressed it again, mostly smaller, and removed its metadata.
    Messenger,
    /// The telephone's own gallery cropped it and kept the metadata.
    Cropped,
    /// It was scaled down for sending, and the metadata kept.
    Resized,
    /// An editor wrote its name.
    EditorTrace,
    /// Opened and saved again under the camera's name.
    Resaved,
    /// Made brighter or darker, and saved again under the camera's name.
    Relit,
    /// A part of another photograph was inserted.
    Splice,
    /// The same, and then a messenger passed it on.
    SplicePassedOn,
    /// A part of it was copied to another place.
    Clone,
    /// Something was removed and painted over with its surroundings.
    Removal,
    /// A part of it was enlarged.
    Enlarged,
    /// The metadata's thumbnail shows the original.
    StaleThumbnail,
    /// Times or places in the metadata were changed.
    Metadata,
    /// It was taken from a screen.
    Screen,
    /// It was taken from a print.
    Print,
}

impl Editing {
    pub const ALL: [Self; 19] = [
        Self::None,
        Self::Bare,
        Self::Night,
        Self::Pattern,
        Self::Messenger,
        Self::Cropped,
        Self::Resized,
        Self::EditorTrace,
        Self::Resaved,
        Self::Relit,
        Self::Splice,
        Self::SplicePassedOn,
        Self::Clone,
        Self::Removal,
        Self::Enlarged,
        Self::StaleThumbnail,
        Self::Metadata,
        Self::Screen,
        Self::Print,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::None => "untouched",
            Self::Bare => "no-metadata",
            Self::Night => "night",
            Self::Pattern => "fine-pattern",
            Self::Messenger => "messenger",
            Self::Cropped => "cropped",
            Self::Resized => "resized",
            Self::EditorTrace => "editor-trace",
            Self::Resaved => "resaved",
            Self::Relit => "relit",
            Self::Splice => "splice",
            Self::SplicePassedOn => "splice-passed-on",
            Self::Clone => "clone",
            Self::Removal => "removal",
            Self::Enlarged => "enlarged",
            Self::StaleThumbnail => "stale-thumbnail",
            Self::Metadata => "metadata-changed",
            Self::Screen => "screen",
            Self::Print => "print",
        }
    }

    pub fn is_genuine(self) -> bool {
        matches!(
            self,
            Self::None | Self::Bare | Self::Night | Self::Pattern | Self::Messenger | Self::Cropped | Self::Resized
        )
    }

    /// The editing of the `index`th photograph of a set: half of them are genuine, and twelve edits are equally
    /// frequent.
    pub fn of_set(index: u64) -> Self {
        const GENUINE: [Editing; 12] = [
            Editing::None,
            Editing::Messenger,
            Editing::Night,
            Editing::Pattern,
            Editing::Cropped,
            Editing::None,
            Editing::Messenger,
            Editing::Bare,
            Editing::Resized,
            Editing::None,
            Editing::Pattern,
            Editing::Cropped,
        ];
        const EDITED: [Editing; 12] = [
            Editing::EditorTrace,
            Editing::Screen,
            Editing::Splice,
            Editing::Resaved,
            Editing::Clone,
            Editing::Print,
            Editing::Removal,
            Editing::Metadata,
            Editing::Enlarged,
            Editing::StaleThumbnail,
            Editing::Relit,
            Editing::SplicePassedOn,
        ];
        let turn = usize::try_from(index / 2 % 12).unwrap_or(0);
        if index.is_multiple_of(2) { GENUINE[turn] } else { EDITED[turn] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_in_a_set_and_half_of_them_are_genuine() {
        let set: Vec<Editing> = (0..24).map(Editing::of_set).collect();
        for kind in Editing::ALL {
            assert!(set.contains(&kind), "{kind:?}");
        }
        assert_eq!(set.iter().filter(|kind| kind.is_genuine()).count(), 12);
    }
}
