-- The program that runs on devices: releases, what is to run it, and how far each device is.

create table client_release (
  id            integer generated always as identity primary key,
  version       text not null,
  -- The three numbers of the version, which are compared as numbers.
  version_order integer[] not null,
  -- Of the program: the file without its first line.
  bytes         integer not null,
  sha256        text not null,
  signature     text not null,
  -- The whole file; gone when the release was removed.
  content       bytea,
  uploaded_at   timestamptz not null default now(),
  -- Null: it was found in the folder.
  uploaded_by   integer,
  deleted_at    timestamptz,
  deleted_by    integer,
  check ((content is null) = (deleted_at is not null))
);
create unique index client_release_version on client_release (version) where deleted_at is null;
create index client_release_sha256 on client_release (sha256);
alter table client_release alter column content set storage external;

-- Files of the folder that are no release that can be used.
create table client_release_refusal (
  file_name  text primary key,
  reason     text not null,
  refused_at timestamptz not null default now()
);

create table client_rollout (
  id                   integer generated always as identity primary key,
  release_id           integer not null references client_release,
  state                text not null default 'running'
    check (state in ('running', 'paused', 'halted', 'stopped', 'finished')),
  state_reason         text not null default '',
  is_downgrade         boolean not null,
  -- Null: it never halts by itself.
  halt_failure_percent double precision,
  wait_minutes         integer not null,
  wave_count           integer not null,
  begun_wave           integer not null default 0,
  -- When each begun wave began.
  waves_begun_at       timestamptz[] not null default '{}',
  -- Since when nothing of the begun waves is under way.
  settled_at           timestamptz,
  created_at           timestamptz not null default now(),
  created_by           integer,
  created_by_name      text not null,
  ended_at             timestamptz
);
create index client_rollout_open on client_rollout (id) where state in ('running', 'paused', 'halted', 'stopped');
create index client_rollout_release on client_rollout (release_id);

-- One device in a rollout.
create table client_update (
  device_id         integer not null,
  rollout_id        integer not null,
  -- Under this the device knows it. What has failed is tried again under another.
  update_id         uuid not null default gen_random_uuid(),
  wave              smallint not null,
  state             text not null default 'waiting' check (state in
    ('waiting', 'offered', 'downloading', 'verifying', 'restarting', 'done', 'failed', 'withdrawn')),
  is_open           boolean not null generated always as
    (state in ('waiting', 'offered', 'downloading', 'verifying', 'restarting')) stored,
  reason            text not null default '',
  received_bytes    bigint,
  -- What the device ran when it was chosen; null when it had never said.
  from_version      text,
  -- What the device was before it was Updating; set while it is.
  earlier_status_id smallint,
  tries             integer not null default 0,
  -- Whether it counts towards the share of failures that halts.
  is_counted        boolean not null default true,
  offered_at        timestamptz,
  -- The first word of the device.
  begun_at          timestamptz,
  changed_at        timestamptz not null default now(),
  ended_at          timestamptz,
  -- Its own word is the last; what the server gave up may still turn out well.
  is_ended_by_device boolean not null default false,
  primary key (device_id, rollout_id)
);
create unique index client_update_id on client_update (device_id, update_id);
-- Of two updates, a device could not be told both.
create unique index client_update_open on client_update (device_id) where is_open;
create index client_update_rollout on client_update (rollout_id, wave, state);

-- The version that a device named with its last word about an update; its reports name it too, but later.
create table device_client (
  device_id integer primary key,
  version   text not null,
  said_at   timestamptz not null default now()
);

-- What each device last said to run, null when it never did. 3 is the event type of the device itself. A view and not a
-- function, so that a whole fleet is joined and not asked one by one.
create view device_version as
select d.id as device_id,
  case when said.said_at > to_timestamp((s.fields -> 'client_version' ->> 1)::float8 / 1000) then said.version
    else coalesce(s.fields -> 'client_version' ->> 0, said.version) end as version
from device d
left join device_state s on s.device_id = d.id and s.event_type_id = 3 and s.number = 1
left join device_client said on said.device_id = d.id;

-- Devices that are connected through a process that is alive and are not silent, and since when.
create view device_online as
select c.device_id, min(c.opened_at) as since from device_connection c
join server_process p on p.id = c.process_id where not c.is_silent and p.lease_until > now() group by c.device_id;

grant select on device_version, device_online to wayside_app;
grant select, insert, update, delete on client_release, client_release_refusal, client_rollout, client_update, device_client
  to wayside_app;
