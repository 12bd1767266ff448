//! Whether certificates can be made with the built-in template and with each folder and published template.

use std::{path::Path, sync::Arc};

use super::check::Check;
use crate::{app::templates::Templates, config::Config};

const PART: &str = "certificate template";

/// `is_usable` compiles the sample cases with the template in a folder, which takes seconds.
pub(in crate::app) async fn check(
    config: &Config,
    templates: Arc<Templates>,
    is_usable: impl Fn(&Path) -> anyhow::Result<bool> + Send + 'static,
) -> Check {
    let folder = config.template_dir.as_ref();
    // Without this check a mistyped name would silently select the built-in template.
    if let Some(missing) = folder.filter(|folder| !folder.is_dir()) {
        let finding = format!("{} is not a folder", missing.display());
        return Check::broken(PART, finding, "check template_dir");
    }
    let name = folder.map_or("built-in".to_owned(), |folder| folder.display().to_string());
    let examined = tokio::task::spawn_blocking(move || -> anyhow::Result<Vec<(String, bool)>> {
        templates.check_built_in()?;
        templates.folders().into_iter().map(|(name, folder)| Ok((name, is_usable(&folder)?))).collect()
    });
    let examined = match examined.await.map_err(anyhow::Error::from).and_then(|examined| examined) {
        Ok(examined) => examined,
        Err(error) => return Check::broken(PART, format!("{error:#}"), "check template_dir"),
    };
    let (usable, unusable): (Vec<_>, Vec<_>) = examined.into_iter().partition(|(_, is_usable)| *is_usable);
    let names =
        |examined: &[(String, bool)]| examined.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    if unusable.is_empty() {
        let own = if usable.is_empty() { String::new() } else { format!(": {}", names(&usable)) };
        return Check::good(PART, format!("{name}{own}; all fonts are available"));
    }
    Check::doubtful(
        PART,
        format!("{name}: {} cannot be used; the built-in template is used instead", names(&unusable)),
        "run sealwright template check on the folder",
    )
}
