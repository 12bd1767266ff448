-- What the devices of those who capture have signed: one chain for each session, which is one key.
create table capture_records (
  case_id bigint not null references cases (id) on delete cascade,
  session text not null,               -- the thumbprint of the key (RFC 7638)
  sequence bigint not null,            -- from 0, without gaps
  event text not null,                 -- taken | retaken | deleted | skipped | closing
  capture_id text,                     -- of taken, retaken and deleted
  step_id bigint,                      -- of taken, retaken and skipped; no reference: a frame may lose its steps
  file_sha256 text,                    -- of taken and retaken
  file_size bigint,                    -- bytes
  occurred_at text not null,           -- the device's clock, with its offset
  record text not null,                -- the compact JWS
  record_sha256 text not null,
  received_at bigint not null,         -- milliseconds since the epoch
  primary key (case_id, session, sequence)
);
create unique index capture_records_by_capture on capture_records (case_id, capture_id)
  where event in ('taken', 'retaken');

-- What the client called its closing, so that a client whose answer was lost gets it again.
alter table certificates add column closing_id text;
