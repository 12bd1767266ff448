-- Items in whose place the company asked for another capture. The item stays.
create table retakes (
  item_id bigint primary key references items (id) on delete cascade,
  reason text not null,                -- one line, for the person who captures
  requested_by text not null,          -- the API user
  requested_at bigint not null         -- milliseconds since the epoch
);
