-- Field users who sign in by an OpenID Connect provider.

alter table users add column oidc_subject text;          -- the claim sub of the one issuer in the settings
create unique index users_by_oidc_subject on users (oidc_subject);

alter table field_sessions add column subject_digest text; -- SHA-256 of issuer and subject at the sign-in

-- Sign-ins by the provider that have begun a session: each begins one. A sign-in is forgotten when it is too old to be
-- finished again.
create table finished_sign_ins (
  digest text primary key,             -- SHA-256 of the sign-in's nonce
  finished_at bigint not null
);
create index finished_sign_ins_by_time on finished_sign_ins (finished_at);
