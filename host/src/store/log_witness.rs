//! The witnesses of the log of seals: what each answered last, and their cosignatures.

use super::seal_log::{from_column, to_column};
use crate::{
    clock::Timestamp,
    db::{Reader, Tx},
};

/// How the last request to a witness ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum WitnessState {
    Cosigned,
    /// It could not be asked, or gave no usable answer.
    Failed,
    /// It has seen another history of this log.
    Refused,
}

sealwright_base::text_column!(WitnessState, "state of a witness");

/// What a witness answered last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessAnswer {
    /// Its verifier key.
    pub witness: String,
    /// Of the newest checkpoint that it has cosigned; 0 if none.
    pub size: u64,
    pub state: WitnessState,
    /// Why it did not cosign.
    pub problem: Option<String>,
    pub asked_at: Timestamp,
}

/// A cosignature of a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cosignature {
    pub size: u64,
    /// The witness's verifier key.
    pub witness: String,
    /// As the log signed it.
    pub checkpoint: String,
    /// The signature line, without its line break.
    pub line: String,
}

#[derive(sqlx_macros::FromRow)]
struct AnswerRow {
    witness: String,
    size: i64,
    state: WitnessState,
    problem: Option<String>,
    asked_at: Timestamp,
}

#[derive(sqlx_macros::FromRow)]
struct CosignatureRow {
    size: i64,
    witness: String,
    checkpoint: String,
    line: String,
}

impl TryFrom<CosignatureRow> for Cosignature {
    type Error = sqlx::Error;

    fn try_from(CosignatureRow { size, witness, checkpoint, line }: CosignatureRow) -> sqlx::Result<Self> {
        Ok(Self { size: from_column(size)?, witness, checkpoint, line })
    }
}

/// What the witnesses of this log answered last.
pub async fn answers(reader: &mut Reader, origin: &str) -> sqlx::Result<Vec<WitnessAnswer>> {
    let rows: Vec<AnswerRow> = reader
        .query("select witness, size, state, problem, asked_at from log_witnesses where origin = $1 order by witness")
        .bind(origin)
        .all()
        .await?;
    rows.into_iter()
        .map(|AnswerRow { witness, size, state, problem, asked_at }| {
            Ok(WitnessAnswer { witness, size: from_column(size)?, state, problem, asked_at })
        })
        .collect()
}

/// Stores what a witness answered.
pub async fn set_answer(tx: &mut Tx, origin: &str, answer: &WitnessAnswer) -> sqlx::Result<()> {
    tx.query(
        "insert into log_witnesses (origin, witness, size, state, problem, asked_at) values ($1, $2, $3, $4, $5, $6)
         on conflict (origin, witness) do update set
           size = excluded.size, state = excluded.state, problem = excluded.problem, asked_at = excluded.asked_at",
    )
    .bind(origin)
    .bind(&answer.witness)
    .bind(to_column(answer.size)?)
    .bind(answer.state)
    .bind(answer.problem.as_deref())
    .bind(answer.asked_at)
    .execute()
    .await?;
    Ok(())
}

/// The kept cosignatures of this log, those of the largest checkpoints first.
pub async fn cosignatures(reader: &mut Reader, origin: &str) -> sqlx::Result<Vec<Cosignature>> {
    let rows: Vec<CosignatureRow> = reader
        .query(
            "select size, witness, checkpoint, line from log_cosignatures where origin = $1
             order by size desc, checkpoint, witness",
        )
        .bind(origin)
        .all()
        .await?;
    rows.into_iter().map(Cosignature::try_from).collect()
}

/// Those of checkpoints over `size` entries.
pub async fn cosignatures_at(reader: &mut Reader, origin: &str, size: u64) -> sqlx::Result<Vec<Cosignature>> {
    let rows: Vec<CosignatureRow> = reader
        .query(
            "select size, witness, checkpoint, line from log_cosignatures where origin = $1 and size = $2
             order by checkpoint, witness",
        )
        .bind(origin)
        .bind(to_column(size)?)
        .all()
        .await?;
    rows.into_iter().map(Cosignature::try_from).collect()
}

/// Stores a cosignature, instead of one that the witness has given earlier for a checkpoint of this size.
pub async fn insert(tx: &mut Tx, origin: &str, cosignature: &Cosignature) -> sqlx::Result<()> {
    tx.query(
        "insert into log_cosignatures (origin, size, witness, checkpoint, line) values ($1, $2, $3, $4, $5)
         on conflict (origin, size, witness) do update set checkpoint = excluded.checkpoint, line = excluded.line",
    )
    .bind(origin)
    .bind(to_column(cosignature.size)?)
    .bind(&cosignature.witness)
    .bind(&cosignature.checkpoint)
    .bind(&cosignature.line)
    .execute()
    .await?;
    Ok(())
}

/// Deletes the cosignatures of checkpoints below `size`, except those over `kept` entries.
pub async fn delete_below(tx: &mut Tx, origin: &str, size: u64, kept: u64) -> sqlx::Result<()> {
    tx.query("delete from log_cosignatures where origin = $1 and size < $2 and size <> $3")
        .bind(origin)
        .bind(to_column(size)?)
        .bind(to_column(kept)?)
        .execute()
        .await?;
    Ok(())
}
