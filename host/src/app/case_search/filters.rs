//! Searches that a user of the console keeps under a name.

use super::App;
pub use crate::store::console_filter::SavedFilter;
use crate::{
    app::console::ConsoleUser,
    domain::case_search::{CaseSearch, filter_name},
    error::{Error, Result},
    store::{self, console_filter::MOST_FILTERS},
};

/// The user's, by name.
pub async fn list(app: &App, user: &ConsoleUser) -> Result<Vec<SavedFilter>> {
    let mut reader = app.db.read().await?;
    Ok(store::console_filter::of_user(&mut reader, user.id).await?)
}

/// Keeps a search under a name; another one of that name is replaced. `query` is as in the page's address.
///
/// # Errors
/// [`Error::Invalid`] if the name is empty or too long, and [`Error::State`] if the user has too many.
pub async fn save(app: &App, user: &ConsoleUser, name: &str, search: &CaseSearch, query: &str) -> Result<()> {
    let name = filter_name(name).map_err(Error::Invalid)?;
    if search.is_empty() {
        return Err(Error::Invalid(
            "a search without words and filters shows all cases: there is nothing to keep".into(),
        ));
    }
    let mut tx = app.db.begin().await?;
    let saved = async {
        let kept = store::console_filter::of_user(&mut tx, user.id).await?;
        if kept.len() >= MOST_FILTERS && !kept.iter().any(|filter| filter.name == name) {
            return Err(Error::state(format!("at most {MOST_FILTERS} searches can be kept: delete one first")));
        }
        store::console_filter::save(&mut tx, user.id, &name, query).await?;
        Ok(())
    };
    let saved = saved.await;
    tx.settle(saved).await
}

/// Deletes one of the user's; one that is not there is deleted already.
pub async fn delete(app: &App, user: &ConsoleUser, id: i64) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let deleted = store::console_filter::delete(&mut tx, user.id, id).await.map_err(Error::from);
    tx.settle(deleted).await
}
