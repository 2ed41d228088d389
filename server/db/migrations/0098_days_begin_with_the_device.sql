-- expand: the first day of a device begins with the device

-- When light is owed from within `first_day`; null: from the beginning of that day.
alter table dark_span add column begins_at timestamptz;
