-- What lists and archives of certificates need.

-- A report is read in the order of creation, part by part.
drop index cases_by_report;
create index cases_by_report on cases (report_token, created_at, id);

-- CRC-32 of the PDF: with it an archive is streamed in one pass. Whatever writes another PDF writes its CRC too.
alter table certificates add column crc32 bigint;
