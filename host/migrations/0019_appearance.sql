-- How companies appear on the pages for people.
create table logos (
  sha256 text primary key,             -- of the file, in hexadecimal
  media_type text not null,            -- image/png or image/jpeg
  bytes text not null                  -- base64
);

alter table companies add column colour text;                              -- #rrggbb
alter table companies add column logo text references logos (sha256);
