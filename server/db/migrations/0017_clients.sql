-- What a subject has used up of its allowance: at `whole_at` it is whole again, and the row means nothing any more.
create table allowance (
  subject  text primary key,
  whole_at timestamptz not null
);

-- Keys that sign the cookies of browsers from which somebody has signed in. A newer one follows now and then.
create table browser_key (
  id      integer generated always as identity primary key,
  secret  bytea not null,
  made_at timestamptz not null default now()
);

-- How often a limit refused a client within an hour. The audit log is only ever added to, so the count that grows stands
-- beside its row.
create table limit_refusal (
  client   text not null,
  hour     timestamptz not null,
  count    integer not null,
  audit_id bigint unique references audit_log,
  primary key (client, hour)
);

grant select, insert, update, delete on allowance, limit_refusal to wayside_app;
grant select, insert on browser_key to wayside_app;
