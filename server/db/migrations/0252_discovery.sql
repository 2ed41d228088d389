-- expand: what the assistant of a device has found

-- contract/mqtt/discovery.ts; null until somebody has looked.
alter table device_drivers_told add column found jsonb, add column found_at timestamptz;
