-- By which off times a device went, and since when: what it confirmed, as it confirmed it.
create table off_times_history (
  device_id  integer not null,
  valid_from timestamptz not null,
  off_times  jsonb not null,
  primary key (device_id, valid_from)
);

create function note_off_times() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if old.reported is not distinct from new.reported then return null; end if;
  end if;
  insert into off_times_history (device_id, valid_from, off_times)
  values (new.device_id, coalesce(new.reported_at, clock_timestamp()), new.reported)
  on conflict (device_id, valid_from) do update set off_times = excluded.off_times;
  return null;
end $$;
create trigger off_times_reported after insert or update of reported on device_setting for each row
  when (new.section = 'turnOff' and new.reported is not null) execute function note_off_times();

-- Since when is unknown of those that were confirmed before there was this history.
insert into off_times_history (device_id, valid_from, off_times)
select device_id, '-infinity', reported from device_setting where section = 'turnOff' and reported is not null;

-- Minutes of a local day of a device, counted up to a moment; what is left of the day is unknown.
create table device_dark_day (
  device_id     integer not null,
  day           date not null,
  unplanned_min smallint not null,
  planned_min   smallint not null,
  lit_min       smallint not null,
  counted_to    timestamptz not null,
  -- A period of a whole fleet is read from here alone.
  primary key (device_id, day) include (unplanned_min, planned_min, lit_min, counted_to)
);

-- UTC days that got readings of displays, one bit of `hours` for each hour, and when they are to be counted again.
-- Only the leading process writes here.
create table dark_due (
  device_id integer not null,
  day       date not null,
  hours     integer not null,
  due_at    timestamptz not null,
  primary key (device_id, day)
);
create index dark_due_soonest on dark_due (due_at);

-- What was stored before there were these minutes, and is still there.
insert into dark_due (device_id, day, hours, due_at)
select distinct device_id, day, (1 << 24) - 1, now() from rollup
where field_id / 1000 = 4 and day >= (select complete_from from rollup_state);

-- In another zone its days begin at other moments.
create function recount_dark_days() returns trigger language plpgsql as $$
begin
  insert into dark_due (device_id, day, hours, due_at)
  select distinct device_id, day + beside, (1 << 24) - 1, clock_timestamp()
  from device_dark_day cross join generate_series(-1, 1) as beside
  where device_id = new.id and day >= (select complete_from from rollup_state)
  on conflict (device_id, day) do update set hours = excluded.hours, due_at = excluded.due_at;
  return null;
end $$;
create trigger device_zone_changed after update of time_zone on device for each row
  when (old.time_zone <> new.time_zone) execute function recount_dark_days();

-- Where the wiring of a device differs from its model: a part, and the part that feeds it (domain/darkness/feedChain.ts).
create table device_feed (
  device_id integer not null,
  part      text not null,
  fed_by    text not null,
  primary key (device_id, part)
);

grant select, insert, update on off_times_history to wayside_app;
grant select on device_dark_day to wayside_app;
grant select, insert, update on dark_due to wayside_app;
grant select, insert, update, delete on device_feed to wayside_app;
