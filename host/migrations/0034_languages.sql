-- The language of certificates, and the time zone whose times they show next to UTC.
alter table companies add column language text not null default 'en';
alter table companies add column time_zone text;   -- a name of the IANA database; null: UTC only
alter table cases add column language text;        -- null: the company's
