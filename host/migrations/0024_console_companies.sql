-- Companies in the console: who keeps their settings, and the list of their links.

alter table companies add column keeper text not null default 'file'; -- file | console
-- Counts the changes of the company's settings, so that two people who edit them notice each other.
alter table companies add column revision bigint not null default 0;

create index links_by_company on links (company_id, created_at, token);
create index links_by_time on links (created_at, token);
