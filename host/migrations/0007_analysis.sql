-- Analysis: what was found in each document and picture, what was made of it for the case, and which plugin said so.

-- One row for each file that is examined, made in the transaction of its item.
create table item_analyses (
  item_id bigint primary key references items (id) on delete cascade,
  case_id bigint not null references cases (id) on delete cascade,
  company_id bigint not null,
  kind text not null,                  -- document | picture
  plan text,                           -- JSON object: the step's analysis as it was when the document came
  deletes_file boolean not null,       -- whether the file goes once it was examined
  state text not null,                 -- pending | completed | failed
  requested_at bigint not null,
  ended_at bigint,
  result text,                         -- JSON object, of documents: as the interface shows it
  account text,                        -- JSON object, of documents: how its numbers came about
  extracted text,                      -- JSON array, of documents: what the step asks to be read
  facts_key text,                      -- the blob with what was seen in the file
  failure text                         -- why there is no answer
);
create index item_analyses_by_case on item_analyses (case_id, item_id);
create index item_analyses_pending on item_analyses (requested_at) where state = 'pending';

-- One row for each closed case whose company has the option, made in the transaction of the closing.
create table case_analyses (
  case_id bigint primary key references cases (id) on delete cascade,
  company_id bigint not null references companies (id),
  closed_at bigint not null,
  deadline bigint not null,            -- when the case is finalised with what is there
  revision bigint not null,            -- how many verdicts were made
  basis bigint,                        -- how many item analyses had ended at the last one
  progress text,                       -- completed | failed
  result text,                         -- JSON object, as the interface shows it
  account text,                        -- JSON object: how its numbers came about
  concluded_at bigint,
  notice bigint not null               -- the newest verdict that is worth telling; 0 before the first
);
create index case_analyses_by_closing on case_analyses (closed_at);

-- Every call of a plugin that a verdict rests on, so that it can be made again.
create table plugin_runs (
  id {{identity}},
  case_id bigint not null references cases (id) on delete cascade,
  item_id bigint references items (id) on delete cascade,
  role text not null,
  plugin text not null,
  version text not null,
  digest text not null,                -- SHA-256 of the component
  contract text not null,              -- the version of the contract
  settings_sha256 text not null,
  input_sha256 text not null,
  answer text,                         -- JSON: what it said, without a value that was read
  failure text,                        -- or why it said nothing
  duration_us bigint not null,
  ran_at bigint not null
);
create index plugin_runs_by_case on plugin_runs (case_id, id);
create index plugin_runs_by_item on plugin_runs (item_id);

-- When the bytes of an item's file were deleted because its step wants them gone after the analysis.
alter table items add column file_deleted_at bigint;

-- The perceptual hashes of pictures. A look-up goes by the equality of one band of sixteen bits.
create table picture_hashes (
  item_id bigint primary key references items (id) on delete cascade,
  company_id bigint not null,
  hash bigint not null,
  band0 bigint not null,
  band1 bigint not null,
  band2 bigint not null,
  band3 bigint not null
);
create index picture_hashes_by_band0 on picture_hashes (company_id, band0);
create index picture_hashes_by_band1 on picture_hashes (company_id, band1);
create index picture_hashes_by_band2 on picture_hashes (company_id, band2);
create index picture_hashes_by_band3 on picture_hashes (company_id, band3);
