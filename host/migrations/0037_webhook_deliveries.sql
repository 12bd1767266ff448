-- Retries of webhooks, and receivers that are paused.

-- The pauses between the attempts of a delivery in seconds, separated by commas; empty: one attempt.
alter table webhooks add column retries text not null default '';
-- How many attempts have failed since the last success, of all deliveries. Counted only with retries.
alter table webhooks add column failures bigint not null default 0;
-- Since when deliveries wait because the receiver is dead, and when the next one tries it.
alter table webhooks add column paused_at bigint;
alter table webhooks add column probe_at bigint;

-- What `webhook-id` says, the first bytes of the answer, what followed a failure, and when the next attempt is due.
alter table webhook_attempts add column delivery text;
alter table webhook_attempts add column answer text;
alter table webhook_attempts add column fate text;       -- retried | paused | given-up
alter table webhook_attempts add column next_at bigint;

-- Deliveries with retries whose attempts have failed so far.
create table webhook_deliveries (
  case_id bigint not null,
  kind text not null,            -- case | analysis | decision
  company_id bigint not null references companies (id),
  delivery text not null,        -- what `webhook-id` says
  attempts bigint not null,
  state text not null,           -- waiting | failed
  changed_at bigint not null,
  primary key (case_id, kind)
);
create index webhook_deliveries_by_company on webhook_deliveries (company_id, kind, state);
create index webhook_deliveries_by_time on webhook_deliveries (changed_at);
