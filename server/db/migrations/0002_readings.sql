-- One wide table for each event type of the catalogue, partitioned by UTC day. Fixed-width columns come first.

create table reading_ecu (
  device_dt  timestamptz not null,
  inserted   timestamptz not null,
  -- What the device's clock said, where that lay too far in the future to be believed.
  claimed_at timestamptz,
  device_id  integer not null,
  number     smallint not null,
  "internal_temp" real,
  "external_temp" real,
  "fan1_speed" real,
  "fan2_speed" real,
  "door_status" integer,
  "uptime" integer,
  -- Fields that the catalogue does not know.
  extra      jsonb,
  primary key (device_id, number, device_dt)
) partition by range (device_dt);

create table reading_device (
  device_dt  timestamptz not null,
  inserted   timestamptz not null,
  -- What the device's clock said, where that lay too far in the future to be believed.
  claimed_at timestamptz,
  device_id  integer not null,
  number     smallint not null,
  "status_id" integer,
  "uptime" integer,
  "cpu_load" real,
  "cpu_temp" real,
  "memory_used" real,
  "disk_used" real,
  "signal_strength" real,
  "network_received" real,
  "network_sent" real,
  "client_version" text,
  -- Fields that the catalogue does not know.
  extra      jsonb,
  primary key (device_id, number, device_dt)
) partition by range (device_dt);

create table reading_display (
  device_dt  timestamptz not null,
  inserted   timestamptz not null,
  -- What the device's clock said, where that lay too far in the future to be believed.
  claimed_at timestamptz,
  device_id  integer not null,
  number     smallint not null,
  "internal_temp" real,
  "intake_temp" real,
  "exhaust_temp" real,
  "humidity" real,
  "fan1_speed" real,
  "fan2_speed" real,
  "fan3_speed" real,
  "fan4_speed" real,
  "fan1_speed_target" real,
  "fan2_speed_target" real,
  "fan3_speed_target" real,
  "fan4_speed_target" real,
  "backlight_level" real,
  "brightness" real,
  "contrast" real,
  "gamma_value" real,
  "red_color_balance" real,
  "green_color_balance" real,
  "blue_color_balance" real,
  "ambient_light" real,
  "backlight_automatic_status" integer,
  "min_backlight" real,
  "max_backlight" real,
  "min_ambient_light" real,
  "max_ambient_light" real,
  "uptime" integer,
  "touch_matrix_status" text,
  "source" text,
  "source_search_status" text,
  "out_of_order_status" text,
  -- Fields that the catalogue does not know.
  extra      jsonb,
  primary key (device_id, number, device_dt)
) partition by range (device_dt);

create table reading_ups (
  device_dt  timestamptz not null,
  inserted   timestamptz not null,
  -- What the device's clock said, where that lay too far in the future to be believed.
  claimed_at timestamptz,
  device_id  integer not null,
  number     smallint not null,
  "battery_charge" real,
  "battery_runtime" integer,
  "load" real,
  "input_voltage" real,
  "output_voltage" real,
  "battery_voltage" real,
  "temp" real,
  "status" text,
  -- Fields that the catalogue does not know.
  extra      jsonb,
  primary key (device_id, number, device_dt)
) partition by range (device_dt);

create table reading_power_switch (
  device_dt  timestamptz not null,
  inserted   timestamptz not null,
  -- What the device's clock said, where that lay too far in the future to be believed.
  claimed_at timestamptz,
  device_id  integer not null,
  number     smallint not null,
  "port1_status" integer,
  "port2_status" integer,
  -- Fields that the catalogue does not know.
  extra      jsonb,
  primary key (device_id, number, device_dt)
) partition by range (device_dt);

create table reading_router (
  device_dt  timestamptz not null,
  inserted   timestamptz not null,
  -- What the device's clock said, where that lay too far in the future to be believed.
  claimed_at timestamptz,
  device_id  integer not null,
  number     smallint not null,
  "port1_status" integer,
  "port2_status" integer,
  "port3_status" integer,
  "port4_status" integer,
  "signal_strength" real,
  -- Fields that the catalogue does not know.
  extra      jsonb,
  primary key (device_id, number, device_dt)
) partition by range (device_dt);

create table reading_relay (
  device_dt  timestamptz not null,
  inserted   timestamptz not null,
  -- What the device's clock said, where that lay too far in the future to be believed.
  claimed_at timestamptz,
  device_id  integer not null,
  number     smallint not null,
  "port1_status" integer,
  "port2_status" integer,
  -- Fields that the catalogue does not know.
  extra      jsonb,
  primary key (device_id, number, device_dt)
) partition by range (device_dt);

create table reading_router_relay (
  device_dt  timestamptz not null,
  inserted   timestamptz not null,
  -- What the device's clock said, where that lay too far in the future to be believed.
  claimed_at timestamptz,
  device_id  integer not null,
  number     smallint not null,
  "relay_status" integer,
  "port1_status" integer,
  "port2_status" integer,
  -- Fields that the catalogue does not know.
  extra      jsonb,
  primary key (device_id, number, device_dt)
) partition by range (device_dt);

create table reading_camera (
  device_dt  timestamptz not null,
  inserted   timestamptz not null,
  -- What the device's clock said, where that lay too far in the future to be believed.
  claimed_at timestamptz,
  device_id  integer not null,
  number     smallint not null,
  "online_status" integer,
  "frame_rate" real,
  "temp" real,
  -- Fields that the catalogue does not know.
  extra      jsonb,
  primary key (device_id, number, device_dt)
) partition by range (device_dt);

create table reading_yocto (
  device_dt  timestamptz not null,
  inserted   timestamptz not null,
  -- What the device's clock said, where that lay too far in the future to be believed.
  claimed_at timestamptz,
  device_id  integer not null,
  number     smallint not null,
  "1" integer,
  "2" integer,
  "3" integer,
  "4" integer,
  "5" integer,
  -- Fields that the catalogue does not know.
  extra      jsonb,
  primary key (device_id, number, device_dt)
) partition by range (device_dt);

