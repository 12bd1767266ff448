-- What certificates contain in addition: original files, and documents page by page.
alter table companies add column embed_originals bigint not null default 0;   -- bytes of one certificate; 0: none
alter table companies add column show_documents bigint not null default 0;    -- pages of a document; 0: only named
