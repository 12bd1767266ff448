-- The sessions of users of kind `field` at /field.
create table field_sessions (
  digest text primary key,             -- SHA-256 of the session's token, which only the browser has
  user_id text not null references users (id),
  password_digest text,                -- SHA-256 of the password's hash at the sign-in: another password ends the session
  created_at bigint not null,          -- milliseconds since the epoch
  seen_at bigint not null              -- of one of the last requests
);

-- The cases that field users opened for one capture each. A repeated request finds the case of the first one.
create table field_openings (
  user_id text not null references users (id),
  capture_id text not null,            -- a UUID v4 that the client chose
  case_id bigint not null references cases (id) on delete cascade,
  primary key (user_id, capture_id)
);

alter table frames add column quick boolean not null default false;

create index open_cases_by_user on cases (user_id, id) where closed_at is null;
