-- Files that are sent in pieces (decisions 16). A finished upload stays as long as its case, so that a client that lost
-- the answer finds its item.
create table uploads (
  id {{identity}},
  upload_key text not null unique,     -- the unguessable last part of the upload's address
  company_id bigint not null references companies (id),
  case_id bigint not null references cases (id) on delete cascade,
  step_id bigint not null,
  action text not null,                -- of the step, as it was at the creation
  capture_id text,                     -- the client's own identifier: UUID v4
  item text not null,                  -- JSON object: the item's description, as a createItemDto
  length bigint not null,              -- bytes
  received bigint not null,            -- bytes
  sha256 text,                         -- of the whole file, as the client declared it
  state text not null,                 -- receiving | finished | gone (its pieces are still to be deleted)
  created_at bigint not null,
  expires_at bigint not null,          -- counts only while it is receiving
  item_id bigint                       -- no reference: the item is deleted with the case, before its uploads
);
create unique index uploads_by_capture on uploads (case_id, capture_id) where state <> 'gone';
create index uploads_by_case on uploads (case_id, state);
create index uploads_by_expiry on uploads (expires_at) where state = 'receiving';

create table upload_pieces (
  upload_id bigint not null references uploads (id) on delete cascade,
  start bigint not null,               -- offset in the file
  size bigint not null,                -- bytes
  blob_key text not null,
  primary key (upload_id, start)
);
create index upload_pieces_by_blob on upload_pieces (blob_key);

-- The client's own identifier of what it captured, so that a repeated request adds nothing.
alter table items add column capture_id text;
create unique index items_by_capture on items (case_id, capture_id) where capture_id is not null;
