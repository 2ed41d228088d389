-- expand: sums of dark minutes by customer and day, so that a year of a large fleet is read from few rows

-- The times for which a device is counted for a customer: Paired, with displays, theirs (server/darkness/sums).
create table dark_span (
  device_id   integer not null,
  -- The customer's days of it, both included.
  owned_from  date not null,
  owned_to    date,
  customer_id integer not null,
  time_zone   text not null,
  -- From which on it owes light: since it was added, its first reading or its coming to the customer.
  first_day   date not null,
  -- Up to when its days of this time are counted.
  counted_to  timestamptz,
  -- Unplanned darkness of all days that are kept of the device: no period has more.
  dark_min    integer not null,
  -- Whether the device has no other such time.
  is_only     boolean not null,
  primary key (device_id, owned_from)
) with (fillfactor = 70);
create index dark_span_of_customer on dark_span (customer_id);

-- Minutes of all devices that are counted for a customer, by their local days.
create table customer_dark_day (
  customer_id     integer not null,
  day             date not null,
  unplanned_min   integer not null,
  planned_min     integer not null,
  lit_min         integer not null,
  lit_in_off_min  integer not null,
  maintenance_min integer not null,
  -- Devices whose light in off times stands in `lit_min`.
  untold_devices  integer not null,
  primary key (customer_id, day)
) with (fillfactor = 50);

-- Customers whose days are in these sums.
create table dark_summed (
  customer_id integer primary key
);

-- Who lacked most: days without darkness are most of all.
create index device_dark_day_dark on device_dark_day (day, device_id) include (unplanned_min) where unplanned_min > 0;

grant select on dark_span, customer_dark_day, dark_summed to wayside_app;

-- One moment for all days: with a moment for each, days that lie side by side were due twice, and the change was refused.
create or replace function recount_dark_days() returns trigger language plpgsql as $$
declare
  moment constant timestamptz := clock_timestamp();
begin
  insert into dark_due (device_id, day, hours, due_at)
  select distinct device_id, day + beside, (1 << 24) - 1, moment
  from device_dark_day cross join generate_series(-1, 1) as beside
  where device_id = new.id and day >= (select complete_from from rollup_state)
  on conflict (device_id, day) do update set hours = excluded.hours, due_at = excluded.due_at;
  return null;
end $$;
