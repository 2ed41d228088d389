-- expand: lists know the temperatures of each display of a device, so that they can go by the hottest

-- Of the second and third display, with their device times; those of the first have names without a number.
alter table device_now
  add column display2_internal_temp    real,
  add column display2_internal_temp_at timestamptz,
  add column display2_intake_temp      real,
  add column display2_intake_temp_at   timestamptz,
  add column display3_internal_temp    real,
  add column display3_internal_temp_at timestamptz,
  add column display3_intake_temp      real,
  add column display3_intake_temp_at   timestamptz;

-- What was known before; the next report of a display brings what is newer.
with reported as (
  select device_id, number,
    (fields -> 'internal_temp' ->> 0)::float8 as internal,
    timestamptz 'epoch' + (fields -> 'internal_temp' ->> 1)::float8 * interval '1 millisecond' as internal_at,
    (fields -> 'intake_temp' ->> 0)::float8 as intake,
    timestamptz 'epoch' + (fields -> 'intake_temp' ->> 1)::float8 * interval '1 millisecond' as intake_at
  from device_state where event_type_id = 4 and number in (2, 3)
), of_device as (
  select device_id,
    max(internal) filter (where number = 2) as internal2, max(internal_at) filter (where number = 2) as internal2_at,
    max(intake) filter (where number = 2) as intake2, max(intake_at) filter (where number = 2) as intake2_at,
    max(internal) filter (where number = 3) as internal3, max(internal_at) filter (where number = 3) as internal3_at,
    max(intake) filter (where number = 3) as intake3, max(intake_at) filter (where number = 3) as intake3_at
  from reported group by device_id
)
update device_now n set
  display2_internal_temp = internal2, display2_internal_temp_at = internal2_at,
  display2_intake_temp = intake2, display2_intake_temp_at = intake2_at,
  display3_internal_temp = internal3, display3_internal_temp_at = internal3_at,
  display3_intake_temp = intake3, display3_intake_temp_at = intake3_at
from of_device where of_device.device_id = n.device_id;
