-- Questions that do not read a whole table (docs/adr/0060-many-cases.md).

-- The oldest job of each kind.
create index jobs_by_due on jobs (kind, due_at) where state in ('ready', 'running', 'suspect');
-- Jobs that wait for a part of the machine.
create index jobs_waiting on jobs (waits_for, run_at) where waits_for is not null;

-- A case that is deleted takes these with it, and the database looks for them.
create index field_openings_by_case on field_openings (case_id);

-- A page of the audit log for some days of all companies.
create index audit_records_by_time on audit_records (happened_at);
