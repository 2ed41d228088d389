-- Light in off times, told apart from light that was owed; null: not told apart, and `lit_min` has it. Nothing is
-- maintenance before there are windows of it.
alter table device_dark_day
  add column lit_in_off_min smallint,
  add column maintenance_min smallint not null default 0;

-- A period of a whole fleet is read from here alone.
alter table device_dark_day
  drop constraint device_dark_day_pkey,
  add primary key (device_id, day)
    include (unplanned_min, planned_min, lit_min, lit_in_off_min, maintenance_min, counted_to);

-- Days that are to be counted anew while their readings are there, the newest first.
create index device_dark_day_not_told_apart on device_dark_day (day desc, device_id) where lit_in_off_min is null;
