-- How often shadow plugins agreed with the plugins that count, for each day: so that the console does not read and compare
-- every answer.

create table shadow_days (
  company_id bigint not null references companies (id),
  plugin text not null,
  digest text not null,                -- SHA-256 of the component
  subject text not null,               -- document | case
  day bigint not null,                 -- since the epoch, in UTC
  version text not null,               -- of the plugin
  agreed bigint not null,              -- documents or cases on which all its answers were those that count
  differed bigint not null,
  unanswered bigint not null,          -- it or the plugin that counts gave no answer
  primary key (company_id, plugin, digest, subject, day)
);
create index shadow_days_by_day on shadow_days (day);
