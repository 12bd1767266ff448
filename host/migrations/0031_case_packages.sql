-- The time stamp of the package of a case, so that the same files give the same package.

create table case_packages (
  case_id bigint primary key references cases (id) on delete cascade,
  manifest_sha256 text not null,  -- of the container's manifest, which the token covers
  seal_manifest_sha256 text,      -- what the proof is about
  log_proof text,                 -- C2SP tlog-proof; null if the seal was not in the log
  token text not null             -- DER in base64
);
