-- Requests with an Idempotency-Key, and what was answered, so that a repetition is not carried out again.

create table idempotent_requests (
  user_id text not null references users (id),
  key_digest text not null,      -- SHA-256 of the key
  request_digest text not null,  -- SHA-256 of the operation, its path and its body
  case_id bigint,                -- null until it is carried out, in the same transaction
  answer text,                   -- JSON; null after the case was deleted
  created_at bigint not null,
  primary key (user_id, key_digest)
);
create index idempotent_requests_by_time on idempotent_requests (created_at);
create index idempotent_requests_by_case on idempotent_requests (case_id);
