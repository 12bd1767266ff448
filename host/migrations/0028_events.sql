-- The feed of events: what has happened to the cases of each company. A row is written in the transaction of its cause,
-- without a position, so that writers do not wait for each other, and gets its position in the feed shortly after.

create table events (
  id {{identity}},
  company_id bigint not null,          -- no reference, and none to the case: an event outlives it
  case_id bigint not null,
  kind text not null,                  -- created | closed | sealed | sealFailed | analysed | decided | deleted
  happened_at bigint not null,         -- milliseconds since the epoch
  position bigint,                     -- in the feed of the company, from 1 without a gap; null until it is placed
  unique (company_id, position)
);
create index events_waiting on events (id) where position is null;
create index events_by_time on events (happened_at);

-- How far the feed of each company is.
create table event_heads (
  company_id bigint primary key,
  position bigint not null,            -- of the newest placed event
  expired bigint not null,             -- of the newest deleted event; of none: 0
  batch bigint not null                -- in which the newest event was placed
);

-- One row, locked while events are placed.
create table event_turn (
  id bigint primary key,               -- always 1
  batch bigint not null
);
insert into event_turn (id, batch) values (1, 0);
