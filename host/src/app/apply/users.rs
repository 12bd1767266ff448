//! The company's users.

use super::{ApplyError, Run, classify, differing};
use crate::{
    db::Tx,
    domain::{
        apply_report::{ApplyReport, Change, ChangeKind},
        company_manifest::{self, CompanyManifest},
    },
    store::{
        case_word,
        user::{self, User},
    },
};

pub(super) async fn apply(
    run: &mut Run<'_>,
    tx: &mut Tx,
    manifest: &CompanyManifest,
    report: &mut ApplyReport,
) -> Result<(), ApplyError> {
    // Removed users go first: a username may pass from one user to another.
    deactivate_absent(tx, manifest, report).await?;
    for user in &manifest.users {
        apply_one(run, tx, manifest, user, report).await?;
    }
    Ok(())
}

async fn apply_one(
    run: &mut Run<'_>,
    tx: &mut Tx,
    manifest: &CompanyManifest,
    user: &company_manifest::User,
    report: &mut ApplyReport,
) -> Result<(), ApplyError> {
    let stored = user::find(tx, &user.id).await?;
    if let Some(other) = stored.as_ref().filter(|stored| stored.company != manifest.company.id) {
        let whose = format!("user {} belongs to company {}", user.id, other.company);
        run.refuse_as_used(manifest, user.line, "user.id", &whose, "an identifier not in use");
        return Ok(());
    }
    if let Some(username) = user.login.as_ref().map(|login| &login.username)
        && let Some(other) = user::find_by_username(tx, username).await?
        && other.id != user.id
    {
        let whose = format!("the username {username:?} belongs to user {}", other.id);
        run.refuse_as_used(manifest, user.line, "user.username", &whose, "one not in use");
        return Ok(());
    }
    if let Some(subject) = &user.oidc_subject
        && let Some(other) = user::find_by_subject(tx, subject).await?
        && other.id != user.id
    {
        let whose = format!("the subject {:?} belongs to user {}", subject.as_str(), other.id);
        run.refuse_as_used(manifest, user.line, "user.oidc_subject", &whose, "one not in use");
        return Ok(());
    }
    let wanted = wanted(run, manifest, user, stored.as_ref());
    let change = Change::new(ChangeKind::User, &user.id, Some(&user.name));
    let write = classify(report, change, stored.as_ref(), &wanted, |stored, wanted| {
        differing!(stored, wanted; "username" => username, "email" => email, "name" => name, "kind" => kind,
                   "password" => password_hash, "oidc_subject" => oidc_subject, "rights" => rights, "logged_in" => logged_in, "active" => active)
    });
    if write {
        user::save(tx, &wanted).await?;
        if stored.is_some_and(|stored| stored.name != wanted.name) {
            case_word::note_user(tx, &wanted.id).await?;
        }
    }
    Ok(())
}

async fn deactivate_absent(
    tx: &mut Tx,
    manifest: &CompanyManifest,
    report: &mut ApplyReport,
) -> Result<(), ApplyError> {
    for stored in user::of_company(tx, manifest.company.id).await? {
        if stored.active && !manifest.users.iter().any(|user| user.id == stored.id) {
            report.deactivated.push(Change::new(ChangeKind::User, &stored.id, Some(&stored.name)));
            let gone = User { active: false, username: None, password_hash: None, oidc_subject: None, ..stored };
            user::save(tx, &gone).await?;
        }
    }
    Ok(())
}

fn wanted(run: &Run<'_>, manifest: &CompanyManifest, user: &company_manifest::User, stored: Option<&User>) -> User {
    User {
        id: user.id.clone(),
        company: manifest.company.id,
        username: user.login.as_ref().map(|login| login.username.clone()),
        email: user.email.clone(),
        name: user.name.clone(),
        kind: user.kind,
        password_hash: run.passwords.get(&user.id).cloned(),
        oidc_subject: user.oidc_subject.clone(),
        rights: user.rights.clone(),
        // Once a user has logged in, this stays, whatever the file says.
        logged_in: user.logged_in || stored.is_some_and(|stored| stored.logged_in),
        active: true,
    }
}
