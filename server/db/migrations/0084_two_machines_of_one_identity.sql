-- expand: two machines that report as one device

-- As long as its configuration is on both; one row for each stretch of it (server/gateway/wire/IdentityConflicts.ts).
create table identity_conflict (
  device_id integer not null,
  began_at  timestamptz(3) not null,
  -- When both were last heard.
  seen_at   timestamptz(3) not null,
  primary key (device_id, began_at)
);
create index identity_conflict_seen on identity_conflict (seen_at);
grant select, insert, update, delete on identity_conflict to wayside_app;

-- Told with the verdict of now, so that lists find it.
alter table device_now add column conflict_since timestamptz;
