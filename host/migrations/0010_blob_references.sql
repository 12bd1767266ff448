-- The sweep of blobs that nothing refers to asks for rows by the keys that they name.

create index items_by_blob on items (blob_key);
create index certificates_by_blob on certificates (blob_key);
create index certificates_by_replaced_blob on certificates (replaced_blob_key);
create index item_analyses_by_facts on item_analyses (facts_key);
