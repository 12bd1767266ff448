-- Fair claims among companies, fences against workers that lost a job, and jobs that take the process down.

alter table jobs add column company_id bigint not null default 0; -- whose work it is; 0: of no company
alter table jobs add column due_at bigint not null default 0;     -- since when it is wanted: pauses after failures do not move it
alter table jobs add column claim bigint not null default 0;      -- counts the claims: who holds an older number holds nothing
alter table jobs add column worker bigint;                        -- the session lock of the process that runs it, where it has one
alter table jobs add column failures bigint not null default 0;   -- errors in a row that the same input gives again
alter table jobs add column crashes bigint not null default 0;    -- runs in a row whose end nobody reported
alter table jobs add column waits_for text;                       -- the part of the machine that was away
-- Further states: suspect (runs alone, after several crashes) and quarantined (waits for the operator).

update jobs set due_at = run_at, company_id = coalesce(
  case
    when kind in ('stamp-item', 'analyse-item', 'delete-file', 'shadow-item')
      then (select c.company_id from items i join cases c on c.id = i.case_id where i.id = jobs.subject)
    when kind in ('delete-blobs', 'log-deletion')
      then (select d.company_id from deleted_cases d where d.case_id = jobs.subject)
    else (select c.company_id from cases c where c.id = jobs.subject)
  end, 0);

drop index jobs_by_time;
create index jobs_by_company on jobs (kind, state, company_id, run_at, id);
create index jobs_running on jobs (worker) where state = 'running';
create index jobs_suspect on jobs (run_at, id) where state = 'suspect';
