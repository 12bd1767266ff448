-- How long companies keep what belongs to their cases, which cases are under legal hold, and whose turn it is to delete.

alter table companies add column case_days bigint;       -- null: without end
alter table companies add column original_days bigint;   -- null: as long as the case
alter table companies add column fact_days bigint;       -- null: as long as the case
alter table companies add column delivery_days bigint;   -- null: 30 days

-- When the files of the case's items, and what was read in them, were given up for deletion.
alter table cases add column originals_expired_at bigint;
alter table cases add column facts_expired_at bigint;

create index cases_by_closing on cases (company_id, closed_at, id) where closed_at is not null;
create index open_cases_by_age on cases (company_id, created_at, id) where closed_at is null;
create index cases_with_originals on cases (company_id, closed_at, id)
  where closed_at is not null and originals_expired_at is null;
create index cases_with_facts on cases (company_id, closed_at, id)
  where closed_at is not null and facts_expired_at is null;
create index webhook_attempts_by_age on webhook_attempts (company_id, started_at);

-- No cascade: the database itself refuses to delete a case that is held.
create table legal_holds (
  case_id bigint primary key references cases (id),
  reason text not null,
  held_by text not null,               -- a user of the console or of the API, or who ran the command
  held_at bigint not null
);

-- One row: the node that deletes holds it until its lease ends, so that there is one at a time.
create table retention_turn (
  id bigint primary key,
  claim bigint not null,               -- counts the turns
  leased_until bigint not null,
  ended_at bigint not null             -- of the last turn that reached its end
);
insert into retention_turn (id, claim, leased_until, ended_at) values (1, 0, 0, 0);
