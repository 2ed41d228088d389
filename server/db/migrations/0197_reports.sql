-- expand: read-only views for Grafana and other tools, each login with what one customer sees (decision 328)

-- Whose rows a login sees; no customer: those of all. Only the command line writes here (npm run admin -- grafana-login).
create table report_login (
  login       text primary key,
  customer_id integer references customer,
  made_at     timestamptz not null default now()
);

-- SET ROLE changes current_user, and nothing that a login can do changes session_user.
create view report_scope as
select c.id as customer_id, c.name as customer,
  -- 0 stands for the whole installation, as in incident_share.
  coalesce(l.customer_id, 0) as share_id
from report_login l join customer c on l.customer_id is null or (c.id = l.customer_id and c.is_active)
where l.login = session_user;

-- A barrier alone lets leakproof conditions of a login pass, and EXPLAIN ANALYZE tells of the rows on which they were
-- tried. So nothing passes `offset 0`. Tables too large for it are read for a list of devices alone, and only conditions
-- on their keys and times reach them, because the values of each row stand behind an `offset 0` of their own.
create view report_device as
select d.id, d.name, s.customer from device d join report_scope s using (customer_id) where d.deleted_at is null offset 0;

-- The fields of reports, as the catalogue has them (domain/catalogue): a test compares both.
create table report_field (
  -- Event type × 1000 + component number × 100 + ordinal (domain/catalogue/fieldId.ts).
  field_id  integer primary key,
  -- Its readings are in reading_display or, of all others, in the view that is called readings_of_ and this.
  component text not null,
  number    smallint not null,
  stored_as text not null,
  -- Where there is a unit, the name ends in it.
  name      text not null,
  unit      text not null
);

-- Adds fields to a component, in the order of their ordinals. Each is its name, a colon and its unit.
create function add_report_fields(type_id integer, component text, numbers integer, fields text) returns void
language sql as $$
  insert into report_field
  select type_id * 1000 + n.number * 100 + last.ordinal + f.place, component, n.number, f.name,
    case when f.name ~ '^\d' then 'button' || f.name
      else f.name || coalesce('_' || nullif(u.name, substring(f.name from '[^_]*$')), '') end,
    f.unit
  from (
    select place, split_part(field, ':', 1) as name, split_part(field, ':', 2) as unit
    from unnest(string_to_array(fields, ' ')) with ordinality as words (field, place)) f
  cross join generate_series(1, numbers) n (number)
  cross join (select coalesce(max(field_id % 100), 0) as ordinal from report_field where field_id / 1000 = type_id) last
  left join (values ('°C', 'celsius'), ('%', 'percent'), ('rpm', 'rpm'), ('lux', 'lux'), ('V', 'volts'), ('dBm', 'dbm'),
    ('kB/s', 'kilobytes_per_second'), ('MB', 'megabytes'), ('fps', 'fps'), ('s', 'seconds'), ('kWh', 'kilowatt_hours'),
    ('W', 'watts')) as u (unit, name) using (unit)
$$;

select add_report_fields(1, 'ecu', 3, 'internal_temp:°C external_temp:°C fan1_speed:rpm fan2_speed:rpm door_status uptime:s energy:kWh active_power:W');
select add_report_fields(3, 'device', 1, 'client_version status_id uptime:s cpu_load:% cpu_temp:°C memory_used:% disk_used:% signal_strength:dBm network_received:kB/s network_sent:kB/s client_features client_starts');
select add_report_fields(4, 'display', 3, 'internal_temp:°C intake_temp:°C exhaust_temp:°C humidity fan1_speed:rpm fan2_speed:rpm fan3_speed:rpm fan4_speed:rpm fan1_speed_target:% fan2_speed_target:% fan3_speed_target:% fan4_speed_target:% backlight_level:% brightness contrast gamma_value red_color_balance green_color_balance blue_color_balance ambient_light:lux backlight_automatic_status min_backlight:% max_backlight:% min_ambient_light:lux max_ambient_light:lux touch_matrix_status source source_search_status out_of_order_status uptime:s panel_light:% lamp_fault diagnosis');
select add_report_fields(5, 'ups', 1, 'status battery_charge:% battery_runtime:s load:% input_voltage:V output_voltage:V battery_voltage:V temp:°C battery_test_result battery_test_at replace_battery alarm');
select add_report_fields(6, 'power_switch', 1, 'port1_status port2_status');
select add_report_fields(7, 'router', 1, 'port1_status port2_status port3_status port4_status signal_strength:dBm data_used:MB data_used_percent:%');
select add_report_fields(8, 'relay', 2, 'port1_status port2_status');
select add_report_fields(9, 'router_relay', 2, 'relay_status port1_status port2_status');
select add_report_fields(10, 'camera', 2, 'online_status frame_rate:fps temp:°C');
select add_report_fields(11, 'yocto', 1, '1 2 3 4 5');

create schema reports;
comment on schema reports is 'Read-only views. Each login sees the devices of one customer, or of all.';

create view reports.device with (security_barrier) as
select d.id as device_id, d.name as device, s.customer, d.address, d.latitude, d.longitude, d.time_zone,
  d.attr_serial as serial_number, d.tags,
  case d.status_id when 1 then 'Pending' when 2 then 'Paired' when 3 then 'Maintenance' when 4 then 'Deactivated'
    when 5 then 'Out of order' when 6 then 'Updating' end as status,
  exists (select from device_online o where o.device_id = d.id) as is_online,
  coalesce(n.newest_at, n.heard_at) as last_heard_at, n.light, n.light_since, n.cause ->> 'sentence' as light_cause,
  greatest(n.internal_temp, n.display2_internal_temp, n.display3_internal_temp) as hottest_display_celsius,
  n.is_on_battery, n.client_version
from device d join report_scope s using (customer_id) left join device_now n on n.device_id = d.id
where d.deleted_at is null offset 0;
comment on view reports.device is 'Devices as they are now; what they reported is some seconds old at most.';
comment on column reports.device.last_heard_at is 'The newest report or, without one, the last sign of life.';
comment on column reports.device.light is 'What its displays are: lit, unplanned (dark), planned (dark as planned), litInOffTime, maintenance, unknown.';
comment on column reports.device.light_cause is 'Why it is dark, in words.';
comment on column reports.device.hottest_display_celsius is 'The newest internal temperature of its hottest display.';

create view reports.hourly_value with (security_barrier) as
select d.id as device_id, d.name as device, d.customer, f.component, f.number, f.name as field, f.unit, r.day,
  r.day::timestamp at time zone 'UTC' + h.place * interval '1 hour' as hour,
  r.means[h.place + 1] as mean, r.minima[h.place + 1] as minimum, r.maxima[h.place + 1] as maximum,
  r.counts[h.place + 1] as readings
from report_device d join rollup r on r.device_id = d.id join report_field f using (field_id)
cross join generate_series(0, 23) h (place)
where r.device_id = any (array(select id from report_device)) and r.counts[h.place + 1] > 0;
comment on view reports.hourly_value is 'Measured values by the hour, of all years that are kept. Name a field and a range of days: that is what makes it fast.';
comment on column reports.hourly_value.component is 'Such as display or ups; number says which of several.';
comment on column reports.hourly_value.field is 'Such as internal_temp_celsius: the name of the same column in display_reading.';
comment on column reports.hourly_value.day is 'The UTC day of the hour. A condition on it reads only these days.';
comment on column reports.hourly_value.hour is 'When the hour begins.';
comment on column reports.hourly_value.readings is 'How many readings the hour has; hours without any have no row.';

-- Makes the views of single readings from report_field. A field that is added goes to the end of its view.
create function make_report_readings() returns void language plpgsql as $$
declare
  part record;
begin
  for part in
    select component, component || '_reading' as view, array_agg(name order by field_id) as names,
      array_agg(unit order by field_id) as units,
      string_agg(format('r.%I as %I', stored_as, name), ', ' order by field_id) as columns
    from report_field where number = 1 group by component
  loop
    execute format('create or replace view reports.%I with (security_barrier) as
      select d.id as device_id, d.name as device, r.number, r.device_dt as measured_at, r.inserted as received_at, v.*
      from report_device d join %I r on r.device_id = d.id cross join lateral (select %s offset 0) v
      where r.device_id = any (array(select id from report_device)) and r.number is not null', part.view,
      case part.component when 'display' then 'reading_display' else 'readings_of_' || part.component end, part.columns);
    execute format('comment on view reports.%I is %L', part.view, 'Single readings of the newest days. Older ones: hourly_value.');
    execute format('comment on column reports.%I.measured_at is %L', part.view, 'The time of the device.');
    for place in 1 .. cardinality(part.names) loop
      execute format('comment on column reports.%I.%I is %L', part.view, part.names[place], case part.units[place]
        when '' then 'As it was reported.' else part.units[place] end);
    end loop;
    execute format('grant select on reports.%I to public', part.view);
  end loop;
end $$;
select make_report_readings();

-- Alerts belong to the customer of their time, and the device is called there as it was when it left (decision 117).
create view reports.alert with (security_barrier) as
select a.id as alert_id, a.device_id,
  case when d.customer_id = a.customer_id then d.name else (
    select p.name from device_departure p where p.device_id = a.device_id and p.customer_id = a.customer_id
    order by p.left_at < a.found_at, p.left_at limit 1) end as device,
  s.customer, coalesce(c.title, a.condition_text) as title, a.condition_text as condition,
  case a.severity_id when 1 then 'Critical' when 2 then 'Warning' when 3 then 'Information' end as severity,
  a.status_id = 1 as is_open, a.status_id = 1 and a.condition_state_id = 1 as is_active,
  a.created_at as opened_at, a.found_at, a.acknowledged_at, a.closed_at, a.metric_value_dec as value,
  a.metric_value_text as value_text
from alert a join report_scope s using (customer_id) join device d on d.id = a.device_id and d.deleted_at is null
left join alert_condition c on c.id = a.condition_id
where a.withdrawn_at is null offset 0;
comment on view reports.alert is 'Alerts, open and closed.';
comment on column reports.alert.is_open is 'Nobody has closed it.';
comment on column reports.alert.is_active is 'It is open, and its condition is still met.';
comment on column reports.alert.opened_at is 'When its condition was met, in the time of the device.';
comment on column reports.alert.value is 'The value that met the condition, if it is a number.';

create view reports.incident with (security_barrier) as
select i.incident_id, case i.state_id when 0 then 'Active' when 1 then 'Over' when 2 then 'Closed' end as state,
  case i.severity_id when 1 then 'Critical' when 2 then 'Warning' when 3 then 'Information' end as severity,
  i.began_at, i.over_at, i.alert_count as alerts, i.active_count as active_alerts, i.open_count as open_alerts,
  i.device_count as devices, i.place_count as places,
  case when d.customer_id = a.customer_id then d.name else (
    select p.name from device_departure p where p.device_id = a.device_id and p.customer_id = a.customer_id
    order by p.left_at < a.found_at, p.left_at limit 1) end as cause_device,
  coalesce(c.title, a.condition_text) as cause
from incident_share i join (select distinct share_id from report_scope) s on s.share_id = i.customer_id
join alert a on a.device_id = i.cause_device_id and a.id = i.cause_alert_id join device d on d.id = a.device_id
left join alert_condition c on c.id = a.condition_id offset 0;
comment on view reports.incident is 'What alerts have in common: the part of it that concerns the customer.';
comment on column reports.incident.cause_device is 'The device whose alert is taken for the cause.';

-- A day belongs to the customer with whom it began.
create view reports.dark_day with (security_barrier) as
with owned as materialized (
  select d.id as device_id, d.name, s.customer, 'infinity'::date as last_day,
    (select max(p.last_day) from device_departure p where p.device_id = d.id) as day_before
  from device d join report_scope s using (customer_id) where d.deleted_at is null
  union all
  select p.device_id, p.name, s.customer, p.last_day,
    (select max(e.last_day) from device_departure e where e.device_id = p.device_id and e.left_at < p.left_at)
  from device_departure p join report_scope s using (customer_id) join device d on d.id = p.device_id and d.deleted_at is null)
select k.device_id, o.name as device, o.customer, k.day, v.*, k.counted_to
from owned o
join device_dark_day k on k.device_id = o.device_id and k.day > coalesce(o.day_before, '-infinity') and k.day <= o.last_day
cross join lateral (select k.unplanned_min as dark_unplanned_minutes, k.planned_min as dark_planned_minutes,
  k.lit_min as lit_minutes, k.maintenance_min as maintenance_minutes offset 0) v
where k.device_id = any (array(select device_id from owned));
comment on view reports.dark_day is 'Minutes of each day, in the time zone of the device. What is not counted is unknown.';
comment on column reports.dark_day.dark_unplanned_minutes is 'A display was dark though light was required.';
comment on column reports.dark_day.dark_planned_minutes is 'All were dark by the off times.';
comment on column reports.dark_day.counted_to is 'Minutes are counted up to here.';

-- Only who was let into the schema gets that far.
grant select on all tables in schema reports to public;
