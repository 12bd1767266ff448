-- Finding cases in the console by anything a person remembers.

-- The words of each case, normalised, and its attributes (frame, state, verdict, decision), which begin with a colon, as
-- no word does. The server fills the table in the background (docs/adr/0042).
create table case_words (
  company_id bigint not null,
  word {{bytewise}} not null,
  case_id bigint not null references cases (id) on delete cascade,
  primary key (company_id, word, case_id)
){{clustered}};
create index case_words_by_case on case_words (case_id, word);

-- Cases whose words may have changed, written in the transaction of the change. Only inserts: a writer never waits here.
create table case_word_changes (
  id {{identity}},
  case_id bigint not null              -- no reference: a case that was deleted meanwhile is skipped
);
insert into case_word_changes (case_id) select id from cases order by id;

-- One row, locked by the node that writes words: of two nodes, the one that read a case earlier must not write last.
create table case_word_turn (
  id bigint primary key,
  batches bigint not null
);
insert into case_word_turn (id, batches) values (1, 0);

-- Cases of all companies by their time, the newest first.
create index cases_by_time on cases (created_at, id);

-- Of the newest verdict: 0 to 100. Verdicts from before this migration get it with the words of their case.
alter table case_analyses add column trust_score bigint;

-- Searches that users of the console keep.
create table console_filters (
  id {{identity}},
  user_id bigint not null references console_users (id),
  name text not null,
  query text not null,                 -- as in the page's address
  unique (user_id, name)
);
