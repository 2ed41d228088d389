-- One row for each command, from the moment it is accepted; only its state moves on.
create table device_command (
  id          uuid not null default gen_random_uuid(),
  device_id   integer not null,
  -- As in contract/mqtt/command.ts.
  name        text not null,
  args        jsonb not null,
  -- A power action or reset; else it applies a section of the settings of this version.
  settings_version integer,
  user_id     integer,
  username    text not null,
  state       text not null default 'accepted'
              check (state in ('accepted', 'sent', 'done', 'refused', 'expired', 'unknown')),
  -- Milliseconds, as they cross the wire: a page of commands ends at one of these.
  accepted_at timestamptz(3) not null default clock_timestamp(),
  sent_at     timestamptz(3),
  ended_at    timestamptz(3),
  -- The device refuses it from then on.
  expires_at  timestamptz(3) not null,
  text        text not null default '',
  errors      jsonb not null default '[]',
  primary key (device_id, id)
);
create index device_command_newest on device_command (device_id, accepted_at desc, id desc);
create index device_command_of_user on device_command (user_id, accepted_at) where settings_version is null;
create index device_command_pending on device_command (accepted_at) where state in ('accepted', 'sent');

-- What an operator wants of a section and what the device last confirmed are two things.
create table device_setting (
  device_id        integer not null,
  section          text not null,
  number           smallint not null,
  -- Arguments of the section's command; absent: nothing is wanted of it.
  desired          jsonb,
  desired_at       timestamptz(3),
  desired_by       text,
  reported         jsonb,
  reported_at      timestamptz(3),
  -- Version of the settings whose answer `reported` is: an older answer that comes later changes nothing.
  reported_version integer not null default 0,
  -- Version of the settings that the device has not answered yet.
  waiting_version  integer,
  refused          jsonb,
  refused_at       timestamptz(3),
  refused_errors   jsonb,
  primary key (device_id, section, number)
);

-- Counted up at every change of what is desired or reported, so that a console knows when to read again.
alter table device_settings add column revision integer not null default 0;

grant select, insert, update, delete on device_command, device_setting to wayside_app;
