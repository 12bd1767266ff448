-- What stays of a case that was deleted: hashes, so that what was published stays provable, and nothing personal.

create table deleted_cases (
  case_id bigint primary key,          -- no reference: the case is gone
  company_id bigint not null references companies (id),
  deleted_at bigint not null,
  certificate_sha256 text,             -- of the PDF, where one was made
  items text not null,                 -- JSON array: item and SHA-256 of each file
  blobs text not null                  -- JSON array: keys that the blob store still has to delete
);

-- Closing by link asks for the open cases of one link, which may have thousands that are closed.
create index cases_open_by_link on cases (link_token) where closed_at is null;
