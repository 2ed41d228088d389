-- expand: what planned darkness was planned by

-- Minutes by emergency, off times and day plan; null where nothing was planned, or it was counted before.
alter table device_dark_day add column planned_by smallint[];
create index emergency_dark_device_of_device on emergency_dark_device (device_id);
