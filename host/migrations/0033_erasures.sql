-- Items that were erased from sealed cases. Nothing of an item is left but its commitment, as in the certificate.
create table erased_items (
  item_id bigint primary key,          -- no reference: the item is gone
  case_id bigint not null references cases (id) on delete cascade,
  step_id bigint not null,
  place bigint not null,               -- among all items of the first certificate, from 0
  commitment text not null,            -- its leaf under the root
  root text not null,                  -- of the first certificate and of every successor
  predecessor text not null,           -- SHA-256 of the seal manifest that was replaced
  ground text not null,                -- request | legalDuty | mistake
  erased_by text not null,             -- the company or the operator, by name
  erased_at bigint not null,
  blobs text not null                  -- JSON array of keys that must still be deleted
);
create index erased_items_by_case on erased_items (case_id, erased_at, place);
