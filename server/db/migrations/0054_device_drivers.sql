-- expand: which driver the console chose for which part of a device, and what the device says of its drivers

create table device_driver (
  device_id integer not null,
  -- As configuration names it: ups, display/2 (domain/drivers/partKey.ts).
  part      text not null,
  driver    text not null,
  options   jsonb not null,
  -- Sent to the device with its settings, and read for nothing else.
  secrets   jsonb not null,
  primary key (device_id, part)
);

create table device_drivers_told (
  device_id integer primary key,
  -- contract/mqtt/drivers.ts
  told      jsonb not null,
  told_at   timestamptz not null default now()
);

grant select, insert, update, delete on device_driver, device_drivers_told to wayside_app;
