-- expand: day plans of the backlight, and what clients say that they can do

alter table reading_device add column client_features text;

-- By which day plan a device went, and since when: what it confirmed, as it confirmed it.
create table day_plan_history (
  device_id  integer not null,
  valid_from timestamptz not null,
  day_plan   jsonb not null,
  primary key (device_id, valid_from)
);

-- Elsewhere the sun rises at other moments.
create function recount_days_by_the_sun() returns trigger language plpgsql as $$
declare
  -- One for all days: days that lie side by side are found more than once.
  moment constant timestamptz := clock_timestamp();
begin
  insert into dark_due (device_id, day, hours, due_at)
  select distinct device_id, day + beside, (1 << 24) - 1, moment
  from device_dark_day cross join generate_series(-1, 1) as beside
  where device_id = new.id and day >= (select complete_from from rollup_state)
    and exists (select from day_plan_history h where h.device_id = new.id and h.day_plan::text like '%offsetMinutes%')
  on conflict (device_id, day) do update set hours = excluded.hours, due_at = excluded.due_at;
  return null;
end $$;
create trigger device_position_changed after update of latitude, longitude on device for each row
  when (old.latitude is distinct from new.latitude or old.longitude is distinct from new.longitude)
  execute function recount_days_by_the_sun();

grant select, insert, update on day_plan_history to wayside_app;
