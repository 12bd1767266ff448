-- The console: its users, their sessions, and what reviewers decided on cases.

create table console_users (
  id {{identity}},
  username text not null unique,
  name text not null,                  -- for people
  role text not null,                  -- viewer | reviewer | manager | administrator | operator
  company_id bigint references companies (id), -- null: an operator
  with_children boolean not null,
  password_hash text not null,         -- Argon2id, PHC string
  totp_secret text,                    -- encrypted; null: no second factor
  totp_step bigint not null,           -- the last time step whose code was accepted, so that no code counts twice
  active boolean not null,
  created_at bigint not null
);
create index console_users_by_company on console_users (company_id);

create table console_sessions (
  id {{identity}},
  digest text not null unique,         -- SHA-256 of the session's token, which only the browser has
  user_id bigint not null references console_users (id),
  password_digest text not null,       -- SHA-256 of the password's hash at the sign-in: another password ends the session
  complete boolean not null,           -- false until the second factor is shown
  failures bigint not null,            -- wrong codes of the second factor
  created_at bigint not null,
  seen_at bigint not null,             -- of one of the last requests
  address text not null,               -- of the sign-in
  agent text not null                  -- what the browser calls itself
);
create index console_sessions_by_user on console_sessions (user_id);

-- The newest decision on a case is the one that counts. They change neither the seal nor the verdict.
create table decisions (
  id {{identity}},
  case_id bigint not null references cases (id) on delete cascade,
  outcome text not null,               -- accepted | rejected | returned
  reason text not null,
  decided_by text not null,            -- the username; the user may be removed later
  decided_at bigint not null
);
create index decisions_by_case on decisions (case_id, id);

create index webhook_attempts_by_case on webhook_attempts (case_id, id);
create index jobs_by_subject on jobs (subject);
