-- Hours that got readings, appended by the transaction that stores them: no key, no index, repetitions allowed, so that
-- no writer ever waits for another or for the job that takes them away.
create table rollup_mark (
  device_id     integer not null,
  event_type_id smallint not null,
  number        smallint not null,
  hour          timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

-- The same, gathered: one row for each component and UTC day, one bit of `hours` for each hour to be worked out. Only
-- the leading process writes here.
create table rollup_due (
  device_id     integer not null,
  event_type_id smallint not null,
  number        smallint not null,
  day           date not null,
  hours         integer not null,
  primary key (device_id, event_type_id, number, day)
);
create index rollup_due_newest on rollup_due (day desc, device_id, event_type_id, number);

-- A UTC day of one measured field of one component: 24 hours, null where nothing was reported. Partitioned by month.
create table rollup (
  device_id integer not null,
  -- Event type × 1000 + component number × 100 + ordinal (domain/catalogue/fieldId.ts).
  field_id  integer not null,
  day       date not null,
  means     real[] not null,
  minima    real[] not null,
  maxima    real[] not null,
  counts    integer[] not null,
  primary key (device_id, field_id, day)
) partition by range (day);

create table rollup_state (
  id            smallint primary key default 1 check (id = 1),
  -- Raw rows before this day were dropped, so they can no longer replace what was worked out from them.
  complete_from date not null default date '-infinity',
  ran_at        timestamptz,
  -- The last time that nothing was left to do.
  refreshed_at  timestamptz,
  has_backlog   boolean not null default true,
  failure       text
) with (fillfactor = 50);
insert into rollup_state default values;

-- Hours of a UTC day that are over at a moment, one bit each.
create function finished_hours(day date, moment timestamptz) returns integer
language sql immutable parallel safe as $$
  select case
    when day < (moment at time zone 'UTC')::date then (1 << 24) - 1
    when day > (moment at time zone 'UTC')::date then 0
    else (1 << extract(hour from moment at time zone 'UTC')::integer) - 1
  end
$$;

-- Hours of the first, and of the second where the first has none.
create function filled_hours(first anyarray, second anyarray) returns anyarray
language sql immutable parallel safe as $$
  select array_agg(coalesce(f, s) order by hour) from unnest(first, second) with ordinality as slots (f, s, hour)
$$;

grant select, insert on rollup_mark to wayside_app;
grant select on rollup_due, rollup, rollup_state to wayside_app;

-- What was stored before there were marks, of the event types that measure anything.
do $$
declare
  type record;
begin
  for type in
    select * from (values (1, 'ecu'), (3, 'device'), (4, 'display'), (5, 'ups'), (7, 'router'),
      (10, 'camera'), (11, 'yocto')) as types (id, name)
  loop
    execute format(
      'insert into rollup_due (device_id, event_type_id, number, day, hours)
       select device_id, %s, number, (hour at time zone ''UTC'')::date,
         bit_or(1 << extract(hour from hour at time zone ''UTC'')::integer)
       from (select distinct device_id, number, date_trunc(''hour'', device_dt, ''UTC'') as hour from %I) as touched
       group by 1, 3, 4',
      type.id, 'reading_' || type.name);
  end loop;
end $$;
