-- How long a company keeps the records of its audit log; null: as long as the database.
alter table companies add column audit_days bigint;

-- When the content of a record was removed. Its place and its digest stay, so that the chain can be checked.
alter table audit_records add column expired_at bigint;
create index audit_records_kept on audit_records (company_id, happened_at)
  where expired_at is null and position is not null;
