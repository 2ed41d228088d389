-- expand: a refusal that a proof may still answer waits before it is written into the audit log

-- A call asked for a fresh proof of who makes it. The row becomes one of the audit log unless this session gives the proof.
create table held_refusal (
  session_hash bytea not null,
  refused_at   timestamptz not null default now(),
  -- The columns of the audit row that are known.
  audit_row    jsonb not null
);
create index held_refusal_session on held_refusal (session_hash);

grant select, insert, delete on held_refusal to wayside_app;
