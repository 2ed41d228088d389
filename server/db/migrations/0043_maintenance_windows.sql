-- expand: maintenance windows: nobody is mailed while they last, and their minutes count neither way

-- What somebody planned (domain/maintenanceWindows): one time or weekly, for a device, a tag, a customer or all.
create table maintenance_window (
  id               integer generated always as identity primary key,
  target_kind      text not null check (target_kind in ('device', 'tag', 'customer', 'all')),
  -- Whose devices; null: of every customer.
  customer_id      integer references customer,
  target_device_id integer,
  tag              text,
  tag_key          text,
  reason           text not null check (length(reason) between 1 and 500),
  -- One time …
  from_at          timestamptz,
  to_at            timestamptz,
  -- … or weekly, 0 is Monday, on the wall of the zone.
  weekdays         smallint[],
  from_time        text,
  to_time          text,
  time_zone        text not null,
  first_day        date,
  last_day         date,
  tells_customer   boolean not null default false,
  created_by       integer references app_user,
  username         text not null,
  created_at       timestamptz not null default now(),
  -- When somebody ended it for good, before its time.
  ended_at         timestamptz,
  -- When the last time of it is over; infinity: never.
  ends_at          timestamptz not null,
  -- Its times are worked out up to here; infinity: all of them.
  planned_to       timestamptz not null default '-infinity',
  check (target_kind <> 'device' or target_device_id is not null),
  check (target_kind <> 'tag' or tag_key is not null),
  check (target_kind in ('tag', 'all') or customer_id is not null),
  check (weekdays is not null or (from_at is not null and to_at is not null))
);
create index maintenance_window_of_customer on maintenance_window (customer_id, id);
create index maintenance_window_of_device on maintenance_window (target_device_id) where target_device_id is not null;
-- Those of which something may still begin.
create index maintenance_window_planned on maintenance_window (planned_to) where planned_to < 'infinity';
create index maintenance_window_end on maintenance_window (ends_at);

-- Each time that one lasts, as moments: a day ahead, and whatever has begun.
create table maintenance_occurrence (
  window_id  integer not null references maintenance_window on delete cascade,
  from_at    timestamptz not null,
  to_at      timestamptz not null,
  told_start boolean not null default false,
  told_end   boolean not null default false,
  primary key (window_id, from_at),
  check (from_at <= to_at)
);
create index maintenance_occurrence_end on maintenance_occurrence (to_at);
create index maintenance_occurrence_untold on maintenance_occurrence (from_at) where not told_start or not told_end;

-- When a device was, is, and within a day will be under maintenance: what has passed stays, wherever the device is then.
create table device_maintenance (
  device_id     integer not null,
  window_id     integer not null,
  from_at       timestamptz not null,
  to_at         timestamptz not null,
  -- Of which time of the window; earlier than from_at where the device came to it later.
  occurrence_at timestamptz not null,
  -- Up to here its days are due to be counted anew.
  due_to        timestamptz not null,
  primary key (device_id, window_id, from_at),
  check (from_at <= to_at)
);
create index device_maintenance_until on device_maintenance (device_id, to_at) include (from_at, window_id);
create index device_maintenance_end on device_maintenance (to_at);
create index device_maintenance_of_window on device_maintenance (window_id, occurrence_at);
create index device_maintenance_not_due on device_maintenance (from_at) where due_to < to_at;

-- Alerts that were raised under maintenance, and of which nobody is mailed yet.
create table alert_held (
  device_id integer not null,
  alert_id  bigint not null,
  is_late   boolean not null,
  primary key (device_id, alert_id)
);

-- To the customer's people, at the start and at the end.
create table maintenance_mail (
  id               integer generated always as identity primary key,
  window_id        integer not null references maintenance_window on delete cascade,
  from_at          timestamptz not null,
  user_id          integer not null references app_user,
  tells            text not null check (tells in ('start', 'end')),
  message_id       text not null unique,
  queued_at        timestamptz not null,
  next_try_at      timestamptz not null,
  tries            integer not null default 0,
  refusals         integer not null default 0,
  claimed_at       timestamptz,
  may_have_arrived boolean not null default false,
  waits_for_server boolean not null default false,
  failure          text not null default '',
  sent_at          timestamptz,
  outbox_file      text,
  given_up_at      timestamptz,
  unique (window_id, from_at, user_id, tells)
);
create index maintenance_mail_waiting on maintenance_mail (next_try_at) where sent_at is null and given_up_at is null;

-- Of a device that is under maintenance now: until when.
alter table device_now add column maintenance_until timestamptz;

grant select, insert, update, delete on maintenance_window, maintenance_occurrence, device_maintenance, alert_held,
  maintenance_mail to wayside_app;
