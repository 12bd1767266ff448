-- How much a case holds, so that it can be sealed: raised with every item, in the update that raises `item_count`.
alter table cases add column picture_count bigint not null default 0;  -- items with a photo or a signature
alter table cases add column text_size bigint not null default 0;      -- what their texts take on the pages; see domain/case/limits.rs

-- Items from before this migration count by their characters alone.
update cases set
  picture_count = (select count(*) from items i
                   where i.case_id = cases.id and i.action in ('PHOTOGRAPHY', 'SIGNATURE') and i.blob_key is not null),
  text_size = (select coalesce(cast(sum(length(i.data) + length(i.device) + length(coalesce(i.client, ''))
                                        + length(coalesce(i.accuracy, ''))) as bigint), 0)
               from items i where i.case_id = cases.id)
where closed_at is null;

-- A report token is free again when nothing uses it. A case that was closed before it was deleted goes on using it: its
-- certificate may be in somebody's hands, and names the token. Only the token's hash is kept.
alter table deleted_cases add column report_sha256 text;
create index deleted_cases_by_report on deleted_cases (report_sha256) where report_sha256 is not null;
create index links_by_report on links (report_token) where report_token is not null;

-- Cases that were deleted before this migration say nothing of their report: their families keep all they had.
alter table reports add column for_good boolean not null default false;
update reports set for_good = true where exists (
  select 1 from deleted_cases d join companies c on c.id = d.company_id
  where coalesce(c.parent_id, c.id) = reports.family_id
);
