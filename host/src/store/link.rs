//! Magic links.

use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
    domain::{
        console::Scope,
        id::{CompanyId, FrameId},
        link::LinkToken,
        report::ReportToken,
    },
};

#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct Link {
    pub token: LinkToken,
    #[sqlx(rename = "company_id")]
    pub company: CompanyId,
    #[sqlx(rename = "frame_id")]
    pub frame: Option<FrameId>,
    pub report_token: Option<ReportToken>,
    pub max_uses: Option<i64>,
    /// How many cases were opened on it.
    pub uses: i64,
    pub expires_at: Option<Timestamp>,
    /// A JSON object, as given.
    pub context: Option<String>,
    pub created_at: Timestamp,
}

/// Finds a link of any company: the use case answers differently for another company's.
pub async fn find(reader: &mut Reader, token: &LinkToken) -> sqlx::Result<Option<Link>> {
    reader.query("select * from links where token = $1").bind(token).optional().await
}

/// A link in a list.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct ListedLink {
    #[sqlx(flatten)]
    pub link: Link,
    pub company_name: String,
    /// None if the link is for no frame.
    pub frame_name: Option<String>,
}

/// The place of a link in a list, which has the newest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkPlace {
    pub created_at: Timestamp,
    pub token: LinkToken,
}

macro_rules! listed {
    ($scope:literal) => {
        concat!(
            "select l.*, c.name as company_name, f.name as frame_name
             from links l join companies c on c.id = l.company_id left join frames f on f.id = l.frame_id
             where l.created_at <= $1 and (l.created_at < $1 or l.token < $2)",
            $scope,
            " order by l.created_at desc, l.token desc limit $3"
        )
    };
}

/// Up to `limit` links, the newest first, from those after `after` on.
pub async fn newest(
    reader: &mut Reader,
    scope: Scope,
    after: Option<&LinkPlace>,
    limit: i64,
) -> sqlx::Result<Vec<ListedLink>> {
    let query = match scope {
        Scope::Installation => reader.query(listed!("")),
        Scope::Company { with_children: false, .. } => reader.query(listed!(" and l.company_id = $4")),
        Scope::Company { with_children: true, .. } => {
            reader.query(listed!(" and l.company_id in (select id from companies where id = $4 or parent_id = $4)"))
        }
    };
    // The index finds the page, also a late one: without a place it begins after the end of time.
    let end = after.map_or(Timestamp::from_millis(i64::MAX), |place| place.created_at);
    let query = query.bind(end).bind(after.map(|place| place.token.clone())).bind(limit);
    match scope.company() {
        Some(company) => query.bind(company).all().await,
        None => query.all().await,
    }
}

pub async fn insert(tx: &mut Tx, link: &Link) -> sqlx::Result<()> {
    tx.query(
        "insert into links (token, company_id, frame_id, report_token, max_uses, uses, expires_at, context, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(&link.token)
    .bind(link.company)
    .bind(link.frame)
    .bind(&link.report_token)
    .bind(link.max_uses)
    .bind(link.uses)
    .bind(link.expires_at)
    .bind(&link.context)
    .bind(link.created_at)
    .execute()
    .await?;
    Ok(())
}

/// Counts one more case on the link; false if it is used up. Two cases opened at once cannot both take the last use.
pub async fn take_use(tx: &mut Tx, token: &LinkToken) -> sqlx::Result<bool> {
    let taken = tx
        .query("update links set uses = uses + 1 where token = $1 and (max_uses is null or uses < max_uses)")
        .bind(token)
        .execute()
        .await?;
    Ok(taken == 1)
}

/// Locks the link's row until the transaction ends, and returns whether a case is open on it.
pub async fn is_open_after_lock(tx: &mut Tx, token: &LinkToken) -> sqlx::Result<bool> {
    tx.query("update links set uses = uses where token = $1").bind(token).execute().await?;
    Ok(open_cases(tx, token).await?.count > 0)
}

/// The open cases on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenCases {
    pub count: i64,
    /// The frame they are on; none if there is no case, or there are several frames.
    pub frame: Option<FrameId>,
}

pub async fn open_cases(reader: &mut Reader, token: &LinkToken) -> sqlx::Result<OpenCases> {
    let (count, lowest, highest): (i64, Option<FrameId>, Option<FrameId>) = reader
        .query("select count(*), min(frame_id), max(frame_id) from cases where link_token = $1 and closed_at is null")
        .bind(token)
        .one()
        .await?;
    Ok(OpenCases { count, frame: lowest.filter(|_| lowest == highest) })
}

/// Ends a link that has not ended.
pub async fn end(tx: &mut Tx, company: CompanyId, token: &LinkToken, now: Timestamp) -> sqlx::Result<()> {
    tx.query(
        "update links set expires_at = $3
         where company_id = $1 and token = $2 and (expires_at is null or expires_at > $3)",
    )
    .bind(company)
    .bind(token)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}
