-- The witnesses of the log of seals, and the logs of others that this installation cosigns as a witness.

-- What each witness of this installation's log answered last.
create table log_witnesses (
  origin text not null,                -- the log's name
  witness text not null,               -- the witness's verifier key
  size bigint not null,                -- of the newest checkpoint that it has cosigned; 0 if none
  state text not null,                 -- 'cosigned', 'failed' or 'refused': it has seen another history of this log
  problem text,                        -- why it did not cosign
  asked_at bigint not null,
  primary key (origin, witness)
);

-- Cosignatures of the newest checkpoint with enough of them, and of newer ones.
create table log_cosignatures (
  origin text not null,
  size bigint not null,
  witness text not null,
  checkpoint text not null,            -- as the log signed it
  line text not null,                  -- the signature line
  primary key (origin, size, witness)
);

-- The newest head of each log of others that was cosigned. It only grows.
create table witnessed_logs (
  origin text primary key,
  size bigint not null,                -- 0 if none was cosigned
  root text not null,                  -- SHA-256 in lowercase hexadecimal
  checkpoint text,                     -- the signed note, with the cosignature; null if none was cosigned
  cosigned_at bigint                   -- null if none was cosigned
);
