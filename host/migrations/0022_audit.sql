-- The audit log: who did or saw what. Rows are written with what they record and chained shortly after, so that writers
-- do not wait for each other. Once it is chained, a row is never changed or deleted.

create table audit_records (
  id {{identity}},
  happened_at bigint not null,         -- milliseconds since the epoch
  company_id bigint,                   -- no reference: the record outlives the company
  actor_kind text not null,            -- console | field | link | api | command
  actor text not null,                 -- a username or an identifier, never a secret
  action text not null,                -- closeCase, showCase, signIn, …
  subject text,                        -- case 12, item 7, user maria, …
  address text,                        -- of the client
  outcome text not null,               -- done | refused | failed
  detail text,                         -- one line, without a secret and without a value from a document
  position bigint unique,              -- in the chain, from 1; null until the record is chained
  digest text                          -- SHA-256 of the digest before it and of this record
);
create index audit_records_by_company on audit_records (company_id, id);
create index audit_records_waiting on audit_records (id) where position is null;

-- How far the chain is. One row, locked while records are chained.
create table audit_head (
  id bigint primary key,               -- always 1
  size bigint not null,                -- how many records are chained
  digest text not null                 -- of the last of them; of none: 64 zeros
);
insert into audit_head (id, size, digest)
values (1, 0, '0000000000000000000000000000000000000000000000000000000000000000');
