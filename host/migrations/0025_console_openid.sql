-- Users of the console who sign in by an OpenID Connect provider.

alter table console_users add column oidc_issuer text;   -- null: the user signs in with a password
alter table console_users add column oidc_subject text;  -- the claim sub of that issuer
create unique index console_users_by_subject on console_users (oidc_issuer, oidc_subject);

-- A user of a provider has no password. SQLite cannot make a column nullable, so another one takes its place.
alter table console_users add column nullable_hash text; -- Argon2id, PHC string; null: no password
update console_users set nullable_hash = password_hash;
alter table console_users drop column password_hash;
alter table console_users rename column nullable_hash to password_hash;
