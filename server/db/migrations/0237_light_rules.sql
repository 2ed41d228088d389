-- expand: rules of law about light, what came of them by day, and emergencies in which displays are dark

-- Never edited, only ended: what was counted by it must stay what was asked for then.
create table light_rule_set (
  id          integer generated always as identity primary key,
  -- Null for devices of every customer.
  customer_id integer references customer,
  content     jsonb not null,
  created_at  timestamptz not null default now(),
  created_by  integer not null references app_user
);
grant select, insert, update, delete on light_rule_set to wayside_app;

-- Minutes of a local day of a device in which a rule set asked for less light.
create table light_rule_day (
  rule_set_id     integer not null,
  device_id       integer not null,
  day             date not null,
  due_min         smallint not null,
  kept_min        smallint not null,
  broken_min      smallint not null,
  unknown_min     smallint not null,
  maintenance_min smallint not null,
  emergency_min   smallint not null default 0,
  broken_at       timestamptz,
  -- The minutes of light of the day when it was counted; other ones mean that it is to be counted again.
  light           text not null,
  primary key (rule_set_id, device_id, day)
);
create index light_rule_day_of_device on light_rule_day (device_id);
grant select, delete on light_rule_day to wayside_app;

create table emergency_dark (
  id          integer generated always as identity primary key,
  customer_id integer references customer,
  subject     text not null,
  reason      text not null,
  started_at  timestamptz not null default now(),
  started_by  integer not null references app_user,
  until_at    timestamptz not null,
  ended_at    timestamptz,
  ended_by    integer references app_user
);
create index emergency_dark_lasting on emergency_dark (until_at) where ended_at is null;
grant select, insert, update on emergency_dark to wayside_app;

create table emergency_dark_device (
  emergency_id integer not null,
  device_id    integer not null,
  -- What the device gets, and the off times that it was to have before; null where it had none.
  off_times    jsonb not null,
  before       jsonb,
  told_at      timestamptz,
  ended_at     timestamptz,
  primary key (emergency_id, device_id)
);
create index emergency_dark_device_open on emergency_dark_device (device_id) where ended_at is null;
grant select, insert, update on emergency_dark_device to wayside_app;
