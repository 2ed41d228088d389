-- expand: what the parts of a device told together is one row

-- What the parts of a device told at one moment, in the columns of its flat record; displays, which tell far more, have
-- rows of their own in reading_display (decision 326). Partitioned by UTC day.
create table reading_look (
  device_dt    timestamptz not null,
  inserted     timestamptz not null,
  -- What the device's clock said, where that lay too far in the future to be believed.
  claimed_at   timestamptz,
  is_corrected boolean,
  device_id    integer not null,
  "e_internal_temp" real,
  "e_external_temp" real,
  "e_fan1_speed" real,
  "e_fan2_speed" real,
  "e_door_status" integer,
  "e_uptime" integer,
  "e_energy" real,
  "e_active_power" real,
  "e2_internal_temp" real,
  "e2_external_temp" real,
  "e2_fan1_speed" real,
  "e2_fan2_speed" real,
  "e2_door_status" integer,
  "e2_uptime" integer,
  "e2_energy" real,
  "e2_active_power" real,
  "e3_internal_temp" real,
  "e3_external_temp" real,
  "e3_fan1_speed" real,
  "e3_fan2_speed" real,
  "e3_door_status" integer,
  "e3_uptime" integer,
  "e3_energy" real,
  "e3_active_power" real,
  "status_id" integer,
  "uptime" integer,
  "cpu_load" real,
  "cpu_temp" real,
  "memory_used" real,
  "disk_used" real,
  "signal_strength" real,
  "network_received" real,
  "network_sent" real,
  "client_starts" integer,
  "u_battery_charge" real,
  "u_battery_runtime" integer,
  "u_load" real,
  "u_input_voltage" real,
  "u_output_voltage" real,
  "u_battery_voltage" real,
  "u_temp" real,
  "u_replace_battery" integer,
  "ps_port1_status" integer,
  "ps_port2_status" integer,
  "ro_port1_status" integer,
  "ro_port2_status" integer,
  "ro_port3_status" integer,
  "ro_port4_status" integer,
  "ro_signal_strength" real,
  "ro_data_used" real,
  "ro_data_used_percent" real,
  "r_port1_status" integer,
  "r_port2_status" integer,
  "r2_port1_status" integer,
  "r2_port2_status" integer,
  "rt_relay_status" integer,
  "rt_port1_status" integer,
  "rt_port2_status" integer,
  "rt2_relay_status" integer,
  "rt2_port1_status" integer,
  "rt2_port2_status" integer,
  "c_online_status" integer,
  "c_frame_rate" real,
  "c_temp" real,
  "c2_online_status" integer,
  "c2_frame_rate" real,
  "c2_temp" real,
  "yocto_1" integer,
  "yocto_2" integer,
  "yocto_3" integer,
  "yocto_4" integer,
  "yocto_5" integer,
  "client_version" text,
  "client_features" text,
  "u_status" text,
  "u_battery_test_result" text,
  "u_battery_test_at" text,
  "u_alarm" text,
  -- Fields that the catalogue does not know, by part. A part that told nothing has an empty object.
  "e_extra" jsonb,
  "e2_extra" jsonb,
  "e3_extra" jsonb,
  "extra" jsonb,
  "u_extra" jsonb,
  "ps_extra" jsonb,
  "ro_extra" jsonb,
  "r_extra" jsonb,
  "r2_extra" jsonb,
  "rt_extra" jsonb,
  "rt2_extra" jsonb,
  "c_extra" jsonb,
  "c2_extra" jsonb,
  "yocto_extra" jsonb,
  primary key (device_id, device_dt)
) partition by range (device_dt);

grant select, insert, update, delete on reading_look to wayside_app;

-- All readings of an event type: those of looks, and rows of versions that wrote each part by itself. A look without the
-- part has no number here.
create view readings_of_ecu as
  select device_dt, inserted, claimed_at, is_corrected, device_id, number, "internal_temp", "external_temp", "fan1_speed", "fan2_speed", "door_status", "uptime", "energy", "active_power", extra
  from reading_ecu
  union all select device_dt, inserted, claimed_at, is_corrected, device_id,
    case when num_nonnulls("e_internal_temp", "e_external_temp", "e_fan1_speed", "e_fan2_speed", "e_door_status", "e_uptime", "e_energy", "e_active_power", "e_extra") > 0 then 1::smallint end,
    "e_internal_temp", "e_external_temp", "e_fan1_speed", "e_fan2_speed", "e_door_status", "e_uptime", "e_energy", "e_active_power", nullif("e_extra", '{}')
  from reading_look
  union all select device_dt, inserted, claimed_at, is_corrected, device_id,
    case when num_nonnulls("e2_internal_temp", "e2_external_temp", "e2_fan1_speed", "e2_fan2_speed", "e2_door_status", "e2_uptime", "e2_energy", "e2_active_power", "e2_extra") > 0 then 2::smallint end,
    "e2_internal_temp", "e2_external_temp", "e2_fan1_speed", "e2_fan2_speed", "e2_door_status", "e2_uptime", "e2_energy", "e2_active_power", nullif("e2_extra", '{}')
  from reading_look
  union all select device_dt, inserted, claimed_at, is_corrected, device_id,
    case when num_nonnulls("e3_internal_temp", "e3_external_temp", "e3_fan1_speed", "e3_fan2_speed", "e3_door_status", "e3_uptime", "e3_energy", "e3_active_power", "e3_extra") > 0 then 3::smallint end,
    "e3_internal_temp", "e3_external_temp", "e3_fan1_speed", "e3_fan2_speed", "e3_door_status", "e3_uptime", "e3_energy", "e3_active_power", nullif("e3_extra", '{}')
  from reading_look;
grant select on readings_of_ecu to wayside_app;

create view readings_of_device as
  select device_dt, inserted, claimed_at, is_corrected, device_id, number, "client_version", "status_id", "uptime", "cpu_load", "cpu_temp", "memory_used", "disk_used", "signal_strength", "network_received", "network_sent", "client_features", "client_starts", extra
  from reading_device
  union all select device_dt, inserted, claimed_at, is_corrected, device_id,
    case when num_nonnulls("client_version", "status_id", "uptime", "cpu_load", "cpu_temp", "memory_used", "disk_used", "signal_strength", "network_received", "network_sent", "client_features", "client_starts", "extra") > 0 then 1::smallint end,
    "client_version", "status_id", "uptime", "cpu_load", "cpu_temp", "memory_used", "disk_used", "signal_strength", "network_received", "network_sent", "client_features", "client_starts", nullif("extra", '{}')
  from reading_look;
grant select on readings_of_device to wayside_app;

create view readings_of_ups as
  select device_dt, inserted, claimed_at, is_corrected, device_id, number, "status", "battery_charge", "battery_runtime", "load", "input_voltage", "output_voltage", "battery_voltage", "temp", "battery_test_result", "battery_test_at", "replace_battery", "alarm", extra
  from reading_ups
  union all select device_dt, inserted, claimed_at, is_corrected, device_id,
    case when num_nonnulls("u_status", "u_battery_charge", "u_battery_runtime", "u_load", "u_input_voltage", "u_output_voltage", "u_battery_voltage", "u_temp", "u_battery_test_result", "u_battery_test_at", "u_replace_battery", "u_alarm", "u_extra") > 0 then 1::smallint end,
    "u_status", "u_battery_charge", "u_battery_runtime", "u_load", "u_input_voltage", "u_output_voltage", "u_battery_voltage", "u_temp", "u_battery_test_result", "u_battery_test_at", "u_replace_battery", "u_alarm", nullif("u_extra", '{}')
  from reading_look;
grant select on readings_of_ups to wayside_app;

create view readings_of_power_switch as
  select device_dt, inserted, claimed_at, is_corrected, device_id, number, "port1_status", "port2_status", extra
  from reading_power_switch
  union all select device_dt, inserted, claimed_at, is_corrected, device_id,
    case when num_nonnulls("ps_port1_status", "ps_port2_status", "ps_extra") > 0 then 1::smallint end,
    "ps_port1_status", "ps_port2_status", nullif("ps_extra", '{}')
  from reading_look;
grant select on readings_of_power_switch to wayside_app;

create view readings_of_router as
  select device_dt, inserted, claimed_at, is_corrected, device_id, number, "port1_status", "port2_status", "port3_status", "port4_status", "signal_strength", "data_used", "data_used_percent", extra
  from reading_router
  union all select device_dt, inserted, claimed_at, is_corrected, device_id,
    case when num_nonnulls("ro_port1_status", "ro_port2_status", "ro_port3_status", "ro_port4_status", "ro_signal_strength", "ro_data_used", "ro_data_used_percent", "ro_extra") > 0 then 1::smallint end,
    "ro_port1_status", "ro_port2_status", "ro_port3_status", "ro_port4_status", "ro_signal_strength", "ro_data_used", "ro_data_used_percent", nullif("ro_extra", '{}')
  from reading_look;
grant select on readings_of_router to wayside_app;

create view readings_of_relay as
  select device_dt, inserted, claimed_at, is_corrected, device_id, number, "port1_status", "port2_status", extra
  from reading_relay
  union all select device_dt, inserted, claimed_at, is_corrected, device_id,
    case when num_nonnulls("r_port1_status", "r_port2_status", "r_extra") > 0 then 1::smallint end,
    "r_port1_status", "r_port2_status", nullif("r_extra", '{}')
  from reading_look
  union all select device_dt, inserted, claimed_at, is_corrected, device_id,
    case when num_nonnulls("r2_port1_status", "r2_port2_status", "r2_extra") > 0 then 2::smallint end,
    "r2_port1_status", "r2_port2_status", nullif("r2_extra", '{}')
  from reading_look;
grant select on readings_of_relay to wayside_app;

create view readings_of_router_relay as
  select device_dt, inserted, claimed_at, is_corrected, device_id, number, "relay_status", "port1_status", "port2_status", extra
  from reading_router_relay
  union all select device_dt, inserted, claimed_at, is_corrected, device_id,
    case when num_nonnulls("rt_relay_status", "rt_port1_status", "rt_port2_status", "rt_extra") > 0 then 1::smallint end,
    "rt_relay_status", "rt_port1_status", "rt_port2_status", nullif("rt_extra", '{}')
  from reading_look
  union all select device_dt, inserted, claimed_at, is_corrected, device_id,
    case when num_nonnulls("rt2_relay_status", "rt2_port1_status", "rt2_port2_status", "rt2_extra") > 0 then 2::smallint end,
    "rt2_relay_status", "rt2_port1_status", "rt2_port2_status", nullif("rt2_extra", '{}')
  from reading_look;
grant select on readings_of_router_relay to wayside_app;

create view readings_of_camera as
  select device_dt, inserted, claimed_at, is_corrected, device_id, number, "online_status", "frame_rate", "temp", extra
  from reading_camera
  union all select device_dt, inserted, claimed_at, is_corrected, device_id,
    case when num_nonnulls("c_online_status", "c_frame_rate", "c_temp", "c_extra") > 0 then 1::smallint end,
    "c_online_status", "c_frame_rate", "c_temp", nullif("c_extra", '{}')
  from reading_look
  union all select device_dt, inserted, claimed_at, is_corrected, device_id,
    case when num_nonnulls("c2_online_status", "c2_frame_rate", "c2_temp", "c2_extra") > 0 then 2::smallint end,
    "c2_online_status", "c2_frame_rate", "c2_temp", nullif("c2_extra", '{}')
  from reading_look;
grant select on readings_of_camera to wayside_app;

create view readings_of_yocto as
  select device_dt, inserted, claimed_at, is_corrected, device_id, number, "1", "2", "3", "4", "5", extra
  from reading_yocto
  union all select device_dt, inserted, claimed_at, is_corrected, device_id,
    case when num_nonnulls("yocto_1", "yocto_2", "yocto_3", "yocto_4", "yocto_5", "yocto_extra") > 0 then 1::smallint end,
    "yocto_1", "yocto_2", "yocto_3", "yocto_4", "yocto_5", nullif("yocto_extra", '{}')
  from reading_look;
grant select on readings_of_yocto to wayside_app;
