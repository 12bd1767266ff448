-- Time stamps of items, and how far the certificates are sealed.

-- Whether the item's file is to be time-stamped. Files from before this migration are, unless their step says otherwise.
alter table items add column wants_time_stamp boolean not null default false;
update items set wants_time_stamp = true
where blob_key is not null and not exists (
  select 1 from steps s join cases c on c.frame_id = s.frame_id
  where c.id = items.case_id and s.id = items.step_id and s.analysis like '%"timestamp_and_signature":false%'
);

-- The time-stamp token over an item's file. One that is here is in the item's certificate once that is made.
create table item_tokens (
  item_id bigint primary key references items (id) on delete cascade,
  der text not null,                   -- base64
  sha256 text not null                 -- of the DER, in lowercase hexadecimal
);

alter table certificates add column salt_seed text;          -- 32 bytes in hexadecimal; the items' salts come from it
alter table certificates add column level text;              -- B-B | B-T | B-LTA; null: from before certificates were signed
alter table certificates add column renew_before bigint;     -- when the newest time stamp's certificates end
alter table certificates add column replaced_blob_key text;  -- the PDF before the last time stamp, until it is deleted
create index certificates_by_renewal on certificates (renew_before);
