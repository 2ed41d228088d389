-- expand: blocks of the audit log that were sealed

-- A block of rows that nobody adds to any more, chained to the one before (docs/decisions/0181).
create table audit_seal (
  number      bigint primary key,
  from_id     bigint not null,
  through_id  bigint not null,
  sealed_at   timestamptz not null,
  row_ids     bigint[] not null,
  -- Of each of these rows.
  row_digests bytea[] not null,
  head        bytea not null
);

-- What names and addresses of a person are hashed with. It goes with the person.
create table audit_salt (
  person text primary key,
  salt   bytea not null
);

-- What stands in for the names and addresses of rows whose person was erased.
create table audit_erased (
  audit_id       bigint primary key,
  author_digest  bytea,
  subject_digest bytea
);

create function refuse_changes_of_seals() returns trigger language plpgsql as $$
begin
  raise exception 'Seals of the audit log are only ever added.';
end $$;
create trigger audit_seal_stays before update or delete or truncate on audit_seal
  for each statement execute function refuse_changes_of_seals();

grant select, insert on audit_seal to wayside_app;
grant select on audit_salt, audit_erased to wayside_app;
