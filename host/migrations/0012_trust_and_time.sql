-- The certificates with which this installation has signed: what they signed stays valid here when the key is another one.
create table signing_certificates (
  sha256 text primary key,             -- of the certificate's DER, in lowercase hexadecimal
  chain text not null,                 -- PEM, its own certificate first
  first_used_at bigint not null
);

-- How often the log was begun. Each log has its own name and key, so that a log which cannot go on is never signed twice.
alter table log_head add column epoch bigint not null default 1;
