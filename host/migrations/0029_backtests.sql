-- Backtests that operators start in the console, and their reports.

create table backtests (
  id {{identity}},
  company_id bigint not null references companies (id),
  plugin text not null,                -- the candidate
  version text not null,
  digest text not null,                -- SHA-256 of its component
  settings text,                       -- a JSON object; null: those of the company's plugin with its name, or else none
  alongside boolean not null,
  since bigint not null,               -- cases that were closed since then
  most bigint not null,                -- cases
  started_by text not null,            -- the username; the user may be removed later
  started_at bigint not null,
  state text not null,                 -- open | done | stopped | failed
  slot bigint unique,                  -- 1 while it is open, so that there is only one; null afterwards
  stop_requested_at bigint,
  seen bigint not null,                -- cases so far
  total bigint not null,               -- cases to judge; 0 until it runs
  ended_at bigint,
  error text,                          -- why it failed
  levels_changed bigint,               -- cases; null without a report
  report text                          -- JSON, without the cases; null until it has one
);

-- Deleted with their case.
create table backtest_cases (
  backtest_id bigint not null references backtests (id) on delete cascade,
  case_id bigint not null references cases (id) on delete cascade,
  score_before bigint not null,
  score_after bigint not null,
  primary key (backtest_id, case_id)
);
create index backtest_cases_by_case on backtest_cases (case_id);
