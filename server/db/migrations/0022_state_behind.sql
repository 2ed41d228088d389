-- expand: the current state is merged from the readings by and by; marks say which readings are not in it yet

-- Readings of a component from `from_at` to the end of that UTC hour may not be in device_state yet, in the fields with
-- these ordinals. Written in the transaction of the readings, taken away in the one that merges them. No key: a mark
-- may be written twice.
create table state_mark (
  device_id     integer not null,
  event_type_id smallint not null,
  number        smallint not null,
  from_at       timestamptz not null,
  fields        smallint[] not null,
  -- Of the connection that wrote it, which holds an advisory lock of that number: nobody else takes its marks away.
  session       integer not null,
  -- Marks that are merged together.
  round         bigint not null
);
create index state_mark_device on state_mark (device_id);

-- Connections that write marks. A row whose lock is free is of one that is gone, with what it left.
create table state_session (
  id        integer generated always as identity primary key,
  opened_at timestamptz not null default now()
);

grant select, insert, delete on state_mark, state_session to wayside_app;

-- What lists of many devices show of each, some seconds old at most. One device is shown from its state and marks.
create table device_now (
  device_id         integer primary key,
  -- Device time of the newest report.
  newest_at         timestamptz not null,
  -- Of its first display, with their device times.
  internal_temp     real,
  internal_temp_at  timestamptz,
  intake_temp       real,
  intake_temp_at    timestamptz,
  client_version    text,
  client_version_at timestamptz
) with (fillfactor = 70);

insert into device_now
select device_id, max(newest_at),
  max((fields -> 'internal_temp' ->> 0)::float8) filter (where is_display),
  max(timestamptz 'epoch' + (fields -> 'internal_temp' ->> 1)::float8 * interval '1 millisecond') filter (where is_display),
  max((fields -> 'intake_temp' ->> 0)::float8) filter (where is_display),
  max(timestamptz 'epoch' + (fields -> 'intake_temp' ->> 1)::float8 * interval '1 millisecond') filter (where is_display),
  max(fields -> 'client_version' ->> 0) filter (where is_client),
  max(timestamptz 'epoch' + (fields -> 'client_version' ->> 1)::float8 * interval '1 millisecond') filter (where is_client)
from device_state
cross join lateral (select event_type_id = 4 and number = 1 as is_display, event_type_id = 3 and number = 1 as is_client) kind
group by device_id;

create or replace view device_version as
select d.id as device_id,
  case when said.said_at > n.client_version_at then said.version
    else coalesce(n.client_version, said.version) end as version
from device d
left join device_now n on n.device_id = d.id
left join device_client said on said.device_id = d.id;

grant select, insert, update, delete on device_now to wayside_app;
