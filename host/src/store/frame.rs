//! Frames and their steps.

use super::{from_json, to_json};
use crate::{
    db::{Reader, Tx},
    domain::{
        id::{CompanyId, FrameId, StepId},
        step::{StepAction, StepAnalysis},
    },
};

/// A frame: an ordered list of steps. Inactive frames and steps are no longer in the company manifest; cases opened on
/// them continue.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    pub id: FrameId,
    pub company: CompanyId,
    pub name: String,
    pub shared_with_children: bool,
    /// For field users: one photo is a case of its own.
    pub quick: bool,
    pub active: bool,
    /// Its position among the company's frames.
    pub position: i64,
    pub steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub id: StepId,
    pub title: String,
    pub description: String,
    pub action: StepAction,
    pub mandatory: bool,
    /// The choices of a SELECT step.
    pub options: Vec<String>,
    pub analysis: Option<StepAnalysis>,
    pub active: bool,
}

#[derive(sqlx_macros::FromRow)]
struct FrameRow {
    id: FrameId,
    company_id: CompanyId,
    name: String,
    shared_with_children: bool,
    quick: bool,
    active: bool,
    position: i64,
}

#[derive(sqlx_macros::FromRow)]
struct StepRow {
    frame_id: FrameId,
    id: StepId,
    title: String,
    description: String,
    action: StepAction,
    mandatory: bool,
    options: String,
    analysis: Option<String>,
    active: bool,
}

/// The frames a company may open cases on: its own, then those its parent shares (decisions 4), with their active steps.
pub async fn accessible(reader: &mut Reader, company: CompanyId) -> sqlx::Result<Vec<Frame>> {
    let frames: Vec<FrameRow> = reader
        .query(
            "select f.* from frames f
             where f.active and (f.company_id = $1 or (f.shared_with_children
               and f.company_id = (select parent_id from companies where id = $1)))
             order by case when f.company_id = $1 then 0 else 1 end, f.position, f.id",
        )
        .bind(company)
        .all()
        .await?;
    let steps: Vec<StepRow> = reader
        .query(
            "select s.* from steps s join frames f on f.id = s.frame_id
             where s.active and f.active and (f.company_id = $1 or (f.shared_with_children
               and f.company_id = (select parent_id from companies where id = $1)))
             order by s.frame_id, s.position",
        )
        .bind(company)
        .all()
        .await?;
    assemble(frames, steps)
}

/// The name of an active frame on which the company may open a case: its own, or one that its parent shares.
pub async fn find_accessible_name(
    reader: &mut Reader,
    company: CompanyId,
    id: FrameId,
) -> sqlx::Result<Option<String>> {
    let row: Option<(String,)> = reader
        .query(
            "select f.name from frames f
             where f.id = $2 and f.active and (f.company_id = $1 or (f.shared_with_children
               and f.company_id = (select parent_id from companies where id = $1)))",
        )
        .bind(company)
        .bind(id)
        .optional()
        .await?;
    Ok(row.map(|(name,)| name))
}

/// A frame with all its steps, of any company, active or not, because a case refers to it.
pub async fn find(reader: &mut Reader, id: FrameId) -> sqlx::Result<Option<Frame>> {
    let frames: Vec<FrameRow> = reader.query("select * from frames where id = $1").bind(id).all().await?;
    let steps: Vec<StepRow> =
        reader.query("select * from steps where frame_id = $1 order by position").bind(id).all().await?;
    Ok(assemble(frames, steps)?.pop())
}

/// One step of a frame, active or not: it was active when the case was opened.
pub async fn find_step(reader: &mut Reader, frame: FrameId, id: StepId) -> sqlx::Result<Option<Step>> {
    let row: Option<StepRow> =
        reader.query("select * from steps where frame_id = $1 and id = $2").bind(frame).bind(id).optional().await?;
    row.map(step).transpose()
}

/// Every frame of the company, including inactive ones.
pub async fn of_company(reader: &mut Reader, company: CompanyId) -> sqlx::Result<Vec<Frame>> {
    let frames: Vec<FrameRow> =
        reader.query("select * from frames where company_id = $1 order by position, id").bind(company).all().await?;
    let steps: Vec<StepRow> = reader
        .query(
            "select s.* from steps s join frames f on f.id = s.frame_id where f.company_id = $1
             order by s.frame_id, s.position",
        )
        .bind(company)
        .all()
        .await?;
    assemble(frames, steps)
}

/// The highest number of a frame of any company.
pub async fn highest(reader: &mut Reader) -> sqlx::Result<Option<FrameId>> {
    let row: Option<(FrameId,)> = reader.query("select id from frames order by id desc limit 1").optional().await?;
    Ok(row.map(|(id,)| id))
}

/// Inserts or updates the frame and its steps. The caller has checked that it does not belong to another company.
pub async fn save(tx: &mut Tx, frame: &Frame) -> sqlx::Result<()> {
    tx.query(
        "insert into frames (id, company_id, name, shared_with_children, active, position, quick)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (id) do update set
           name = excluded.name, shared_with_children = excluded.shared_with_children, active = excluded.active,
           position = excluded.position, quick = excluded.quick",
    )
    .bind(frame.id)
    .bind(frame.company)
    .bind(&frame.name)
    .bind(frame.shared_with_children)
    .bind(frame.active)
    .bind(frame.position)
    .bind(frame.quick)
    .execute()
    .await?;
    for (position, step) in (0..).zip(&frame.steps) {
        save_step(tx, frame.id, step, position).await?;
    }
    Ok(())
}

async fn save_step(tx: &mut Tx, frame: FrameId, step: &Step, position: i64) -> sqlx::Result<()> {
    tx.query(
        "insert into steps (frame_id, id, position, title, description, action, mandatory, options, analysis, active)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         on conflict (frame_id, id) do update set
           position = excluded.position, title = excluded.title, description = excluded.description,
           action = excluded.action, mandatory = excluded.mandatory, options = excluded.options,
           analysis = excluded.analysis, active = excluded.active",
    )
    .bind(frame)
    .bind(step.id)
    .bind(position)
    .bind(&step.title)
    .bind(&step.description)
    .bind(step.action)
    .bind(step.mandatory)
    .bind(to_json(&step.options))
    .bind(step.analysis.as_ref().map(to_json))
    .bind(step.active)
    .execute()
    .await?;
    Ok(())
}

fn assemble(frames: Vec<FrameRow>, steps: Vec<StepRow>) -> sqlx::Result<Vec<Frame>> {
    let mut assembled: Vec<Frame> = frames
        .into_iter()
        .map(|row| Frame {
            id: row.id,
            company: row.company_id,
            name: row.name,
            shared_with_children: row.shared_with_children,
            quick: row.quick,
            active: row.active,
            position: row.position,
            steps: Vec::new(),
        })
        .collect();
    for row in steps {
        if let Some(frame) = assembled.iter_mut().find(|frame| frame.id == row.frame_id) {
            frame.steps.push(step(row)?);
        }
    }
    Ok(assembled)
}

fn step(row: StepRow) -> sqlx::Result<Step> {
    Ok(Step {
        id: row.id,
        title: row.title,
        description: row.description,
        action: row.action,
        mandatory: row.mandatory,
        options: from_json("options", &row.options)?,
        analysis: row.analysis.map(|json| from_json("analysis", &json)).transpose()?,
        active: row.active,
    })
}
