-- The tables of the main job. One text for SQLite and PostgreSQL: times are milliseconds since the Unix epoch in bigint,
-- JSON is text (the order of its keys is the client's), identifiers that we give are {{identity}}.

create table companies (
  id bigint primary key,
  name text not null,
  parent_id bigint references companies (id),
  document_analysis boolean not null,
  certificate_template text not null,
  rate_limits text not null,           -- JSON object: operation -> requests a minute
  analysis text not null,              -- JSON object: weights and plugins
  updated_at bigint not null
);
create index companies_by_parent on companies (parent_id);

-- People and programs. One that is no longer in the company manifest stays, inactive: cases refer to it.
create table users (
  id text primary key,
  company_id bigint not null references companies (id),
  username text unique,
  email text,
  name text not null,
  kind text not null,                  -- api | field
  password_hash text,                  -- Argon2id, PHC string
  rights text not null,                -- JSON array
  logged_in boolean not null,
  active boolean not null
);
create index users_by_company on users (company_id);

create table frames (
  id bigint primary key,
  company_id bigint not null references companies (id),
  name text not null,
  shared_with_children boolean not null,
  active boolean not null,
  position bigint not null
);
create index frames_by_company on frames (company_id);

create table steps (
  frame_id bigint not null references frames (id),
  id bigint not null,
  position bigint not null,
  title text not null,
  description text not null,
  action text not null,
  mandatory boolean not null,
  options text not null,               -- JSON array of text, for SELECT
  analysis text,                       -- JSON object, for DOCUMENT_UPLOAD
  active boolean not null,
  primary key (frame_id, id)
);

-- Where webhooks go. `credentials` is encrypted JSON under the key kept outside the database.
create table webhooks (
  company_id bigint not null references companies (id),
  kind text not null,                  -- case | analysis
  endpoint text not null,
  mode text not null,                  -- the name of a webhook-auth mode
  credentials text not null,
  source text not null,                -- manifest | api
  primary key (company_id, kind)
);

-- What the server keeps to itself, encrypted: the key that signs tokens.
create table secrets (
  name text primary key,
  ciphertext text not null
);

-- A report token belongs to the first company family that used it; a family is named by its topmost company.
create table reports (
  token text primary key,
  family_id bigint not null references companies (id),
  created_at bigint not null
);

create table links (
  token text primary key,              -- UUID v4
  company_id bigint not null references companies (id),
  frame_id bigint references frames (id),
  report_token text references reports (token),
  max_uses bigint,
  uses bigint not null,
  expires_at bigint,
  context text,                        -- JSON object
  created_at bigint not null
);

create table cases (
  id {{identity}},
  company_id bigint not null references companies (id),
  frame_id bigint not null references frames (id),
  title text not null,
  user_id text references users (id),
  link_token text references links (token),
  report_token text references reports (token),
  context text,                        -- JSON object: caseContext
  metadata text,                       -- JSON object, exactly as given
  scheduled_at bigint,
  created_at bigint not null,
  closed_at bigint,
  item_count bigint not null           -- raised with every item: the row's lock keeps items and the closing in order
);
create index cases_by_company on cases (company_id, created_at, id);
create index cases_by_report on cases (report_token, company_id);
create index cases_by_link on cases (link_token);

create table items (
  id {{identity}},
  case_id bigint not null references cases (id) on delete cascade,
  step_id bigint not null,
  step_title text not null,            -- as it was when the item came
  step_description text not null,
  action text not null,
  data text not null,
  created_at bigint not null,
  latitude text,
  longitude text,
  accuracy text,
  device text not null,                -- JSON object
  client text,                         -- JSON object: application, version, its clock
  blob_key text,
  file_type text,                      -- media type, told by the file's own signature
  file_size bigint,
  file_sha256 text,
  media_key text unique                -- the unguessable last part of the public address
);
create index items_by_case on items (case_id, id);

-- One row for each closing. `frozen` is what the seal is made from besides the items.
create table certificates (
  case_id bigint primary key references cases (id) on delete cascade,
  share_token text not null unique,
  frozen text not null,                -- JSON object
  blob_key text,
  size bigint,
  sha256 text,
  pages bigint,
  rendered_at bigint,
  failure text                         -- set when rendering was given up for good
);

-- Work that follows from what is in the same transaction.
create table jobs (
  id {{identity}},
  kind text not null,
  subject bigint not null,
  state text not null,                 -- ready | running | failed
  run_at bigint not null,
  lease_until bigint,
  attempt bigint not null,
  last_error text,
  created_at bigint not null,
  unique (kind, subject)
);
create index jobs_by_time on jobs (kind, state, run_at, id);

create table webhook_attempts (
  id {{identity}},
  company_id bigint not null references companies (id),
  case_id bigint not null,             -- no reference: the record outlives a deleted case
  kind text not null,                  -- case | analysis
  url text not null,
  started_at bigint not null,
  duration_ms bigint not null,
  status bigint,                       -- the receiver's answer
  error text                           -- or why there was none
);
create index webhook_attempts_by_company on webhook_attempts (company_id, id);
create index webhook_attempts_by_time on webhook_attempts (started_at);
