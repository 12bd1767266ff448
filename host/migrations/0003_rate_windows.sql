-- The counters of rate limits that nodes share, for each the moments at which the requests it let through leave the
-- window, and how many do. Rows are PostgreSQL's alone: on SQLite one process counts in its memory.
create {{unlogged}} table rate_windows (
  counter text primary key,
  until {{bigints}} not null,          -- milliseconds since the Unix epoch by the database's clock, ascending
  counts {{bigints}} not null,
  used bigint not null,                -- the sum of `counts` at the last decision
  admitted bigint not null,            -- how many requests that decision let through
  decided_at bigint not null
);
