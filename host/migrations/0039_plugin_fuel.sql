-- What a call of a plugin used, in units of fuel: the same on every machine, unlike its duration.

alter table plugin_runs add column fuel bigint;   -- null before this migration
