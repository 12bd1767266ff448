-- Requests for another capture that a newer request for the same item replaced. `retakes` has the newest.
create table replaced_retakes (
  id {{identity}},                     -- a later request has a greater one
  item_id bigint not null references items (id) on delete cascade,
  reason text not null,
  requested_by text not null,
  requested_at bigint not null         -- milliseconds since the epoch
);
create index replaced_retakes_by_item on replaced_retakes (item_id, id);

-- Passkeys of users of the console, as a second factor (Web Authentication).
create table console_passkeys (
  id {{identity}},
  user_id bigint not null references console_users (id),
  credential text not null unique,     -- as the authenticator names it, base64url
  spki text not null,                  -- the public key, SubjectPublicKeyInfo in base64url
  counter bigint not null,             -- of the last signature; 0 if the authenticator does not count
  name text not null,                  -- for the user
  created_at bigint not null,
  used_at bigint                       -- null: never
);
create index console_passkeys_by_user on console_passkeys (user_id);

-- How many the user has, so that a sign-in knows whether a second step follows.
alter table console_users add column passkeys bigint not null default 0;
