-- Plugins and certificate templates that every node of the installation has. Their bytes are in the blob store, where they
-- are written before their row.

create table published (
  kind text not null,                  -- plugin, template
  name text not null,
  digest text not null,                -- SHA-256 of the bytes, lowercase hexadecimal
  version text not null,               -- of a plugin, as it says itself; empty for a template
  size bigint not null,                -- of the bytes
  blob_key text not null,
  source text not null,                -- command, folder
  node text not null,                  -- the machine that published it, for people
  published_at bigint not null,
  withdrawn_at bigint,                 -- null: every node has it
  revision bigint not null,            -- of the last change of this row; the highest one of a name is the newest
  primary key (kind, name, digest)
);

-- One row. It counts up with every change of the table above, so that nodes notice one by reading a single number.
create table published_revision (
  id bigint primary key,
  revision bigint not null
);

insert into published_revision (id, revision) values (1, 0);
