//! Restricts the files that a child can open: Landlock, in Linux 5.13 and later.

use std::path::PathBuf;

use landlock::{
    ABI, Access, AccessFs, AccessNet, LandlockStatus, RestrictionStatus, Ruleset, RulesetAttr, RulesetCreatedAttr,
    RulesetError, RulesetStatus, Scope, path_beneath_rules,
};

use crate::confine::Layer;

/// The newest version whose rights were reviewed. An older kernel enforces those that it knows.
const ABI_KNOWN: ABI = ABI::V7;

/// From here on this thread, and every thread and process that it starts, can only open what is in `readable`, for
/// reading. Newer kernels also deny TCP connections, and signals to processes outside.
pub(crate) fn restrict(readable: &[PathBuf]) -> Layer {
    match try_restrict(readable) {
        Ok(RestrictionStatus { ruleset: RulesetStatus::FullyEnforced, .. }) => Layer::InForce,
        Ok(RestrictionStatus { ruleset: RulesetStatus::PartiallyEnforced, landlock, .. }) => {
            Layer::InPart(format!("this kernel's Landlock is older: {}", version(landlock)))
        }
        Ok(RestrictionStatus { landlock: LandlockStatus::NotEnabled, .. }) => {
            Layer::Missing("this kernel has Landlock, but it is not enabled (lsm=landlock)".to_owned())
        }
        Ok(_) => Layer::Missing("this kernel has no Landlock, or a container's filter blocks it".to_owned()),
        Err(error) => Layer::Missing(format!("Landlock failed: {error}")),
    }
}

fn try_restrict(readable: &[PathBuf]) -> Result<RestrictionStatus, RulesetError> {
    Ruleset::default()
        .handle_access(AccessFs::from_all(ABI_KNOWN))?
        .handle_access(AccessNet::from_all(ABI_KNOWN))?
        .scope(Scope::from_all(ABI_KNOWN))?
        .create()?
        // A path that does not exist is skipped.
        .add_rules(path_beneath_rules(readable, AccessFs::from_read(ABI_KNOWN)))?
        .restrict_self()
}

fn version(status: LandlockStatus) -> String {
    match status {
        LandlockStatus::Available { effective_abi, .. } => format!("version {}", effective_abi as i32),
        _ => "no version".to_owned(),
    }
}
