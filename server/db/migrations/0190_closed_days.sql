-- expand: closed days of readings as files, late readings beside them, and how far days are closed

-- The readings of one component on one UTC day, as a Parquet file (decision 312). Partitioned by month.
create table closed_day (
  device_id     integer not null,
  event_type_id smallint not null,
  number        smallint not null,
  day           date not null,
  rows          integer not null,
  closed_at     timestamptz not null,
  body          bytea not null,
  primary key (device_id, event_type_id, number, day)
) partition by range (day);

-- Readings of closed days that came later, until they are merged into them.
create table late_reading (
  device_id     integer not null,
  event_type_id smallint not null,
  number        smallint not null,
  device_dt     timestamptz not null,
  inserted      timestamptz not null,
  claimed_at    timestamptz,
  is_corrected  boolean,
  -- Values by column name. Numbers that JSON has no word for are texts.
  fields        jsonb not null,
  -- Fields that the catalogue does not know.
  extra         jsonb,
  primary key (device_id, event_type_id, number, device_dt)
);

-- Readings of days before `closed_before` are read from closed_day and late_reading. Those of days before
-- `closing_before` are written to late_reading; it is ahead while a day is being closed.
create table closing_state (
  id             smallint primary key default 1 check (id = 1),
  closed_before  date not null default '-infinity',
  closing_before date not null default '-infinity' check (closing_before >= closed_before),
  -- A row of the day that is being closed may have changed since it was compared if its transaction is not older.
  compared_from  bigint
);
insert into closing_state default values;

grant select on closed_day, closing_state to wayside_app;
grant select, insert, update on late_reading to wayside_app;
