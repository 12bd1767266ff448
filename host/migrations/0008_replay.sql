-- What one needs to run a plugin again: the settings that it was given, and the moment whose state of the case it saw. The
-- components themselves are in the blob store, by their digest.

create table plugin_settings (
  sha256 text primary key,
  settings text not null               -- JSON object
);

alter table plugin_runs add column as_of bigint;                            -- null before this migration: ran_at
alter table plugin_runs add column shadow boolean not null default false;   -- it counts for nothing
