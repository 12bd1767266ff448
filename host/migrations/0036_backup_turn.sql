-- Who makes a backup now. While someone does, no blob is deleted that the backup may need (docs/adr/0052-backups.md).

create table backup_turn (
  id bigint primary key,               -- always 1
  holder text,                         -- the process that makes a backup; null: none does
  held_until bigint,                   -- milliseconds since the epoch; the holder moves it while it works
  last_taken_at bigint                 -- the time of the last complete backup
);
insert into backup_turn (id) values (1);
