-- Requests for another capture that a newer request for the same item replaced. `retakes` has the newest.
create table replaced_retakes (
  id {{identity}},                     -- a later request has a greater one
  item_id bigint not null references items (id) on delete cascade,
  reason text not null,
  requested_by text not null,
  requested_at bigint not null         -- milliseconds since the epoch
);
create index replaced_retakes_by_item on replaced_retakes (item_id, id);
