-- Evidence records (RFC 4998): rounds, each a tree of hashes over many certificates, and the time stamps over its root.

create table evidence_rounds (
  id {{identity}},
  slot bigint unique,                  -- 1 until it is stamped, so that there is only one; null afterwards
  started_at bigint not null,
  subtrees bigint not null,            -- so far
  last_end bigint not null,            -- the tree has the certificates up to this end of their time stamps
  last_case bigint not null,           -- and of those with that end, up to this case
  is_complete boolean not null,        -- whether the tree has all its leaves
  renew_before bigint                  -- when the certificates of its newest time stamp end; null before the first
);

-- Each has 1,024 leaves; the last of a round may have fewer.
create table evidence_subtrees (
  round_id bigint not null references evidence_rounds (id) on delete cascade,
  position bigint not null,            -- from 0
  root text not null,                  -- SHA-256 in lowercase hexadecimal
  primary key (round_id, position)
);

-- In the order of their cases within a subtree. They stay when a case is deleted, because the others' records need them.
create table evidence_leaves (
  round_id bigint not null references evidence_rounds (id) on delete cascade,
  subtree bigint not null,
  case_id bigint not null,             -- no reference: the case may be gone
  sha256 text not null,                -- of the PDF
  primary key (round_id, subtree, case_id)
);

create table evidence_stamps (
  round_id bigint not null references evidence_rounds (id) on delete cascade,
  position bigint not null,            -- from 0
  path text not null,                  -- JSON array of SHA-256: from what it covers to the stamped hash
  der text not null,                   -- base64
  primary key (round_id, position)
);

-- Where the PDF is a leaf; null if it is none, also after the PDF was replaced.
alter table certificates add column evidence_round bigint;
alter table certificates add column evidence_subtree bigint;
create index certificates_without_evidence on certificates (renew_before, case_id) where evidence_round is null;
create index certificates_by_evidence on certificates (evidence_round, evidence_subtree) where evidence_round is not null;
