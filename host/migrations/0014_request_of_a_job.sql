-- The request that caused a job, for the log. Null for jobs that the server started by itself.

alter table jobs add column request_id text;
