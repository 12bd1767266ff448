-- The public log of seals and deletions: entries in their order, and the Merkle tree over them. Nothing here is ever
-- changed or deleted, except the one row that says how far the log is.

create table log_head (
  id bigint primary key,               -- always 1
  origin text not null,                -- the log's name, for ever that of its first entry
  size bigint not null,
  peaks text not null,                 -- JSON array: hashes of the largest complete subtrees, left to right
  checkpoint text not null             -- the signed note over `size`; empty while the log is
);

create table log_entries (
  position bigint primary key,         -- from 0, without gaps
  entry text not null unique,          -- canonical JSON: what the leaf holds
  case_id bigint not null,             -- no reference: the case may be gone
  seal_manifest_sha256 text            -- of a seal
);
create index log_entries_by_case on log_entries (case_id, position);
create index log_entries_by_manifest on log_entries (seal_manifest_sha256) where seal_manifest_sha256 is not null;

-- Every node over a complete subtree. Those of every eighth level are the log's tiles.
create table log_nodes (
  level bigint not null,               -- 0 for leaves
  position bigint not null,
  hash text not null,                  -- SHA-256 in lowercase hexadecimal
  primary key (level, position)
);

alter table certificates add column seal_manifest_sha256 text;  -- of the seal manifest in the PDF
