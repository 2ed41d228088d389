-- What people did about a device, and what it told them, belongs to the customer who had it then, and stays theirs when
-- the device goes to another. Readings stay with the device.

-- Each time that a device left a customer: by what it was known there, which is how its rows are shown from then on.
create table device_departure (
  device_id   integer not null,
  left_at     timestamptz not null,
  customer_id integer not null,
  name        text not null,
  address     text not null,
  model_id    integer not null,
  status_id   smallint not null,
  -- Local day of the device; the last of which the minutes are theirs.
  last_day    date not null,
  primary key (device_id, left_at)
);
create index device_departure_customer on device_departure (customer_id, device_id);

-- Moves are in the audit log, and so is what a device was called then: what the next change of it found, or what it is.
insert into device_departure (device_id, left_at, customer_id, name, address, model_id, status_id, last_day)
select d.id, m.inserted_at, (m.before ->> 'customerId')::integer, coalesce(t.name, d.name),
  coalesce(t.address, d.address), coalesce(t.model_id, d.model_id), coalesce(t.status_id, d.status_id),
  (m.inserted_at at time zone 'UTC')::date
from audit_log m join device d on d.id = m.entity_id
cross join lateral (
  select
    (array_agg(l.before ->> 'name' order by l.id) filter (where l.before ? 'name'))[1] as name,
    (array_agg(l.before ->> 'address' order by l.id) filter (where l.before ? 'address'))[1] as address,
    (array_agg((l.before ->> 'modelId')::integer order by l.id) filter (where l.before ? 'modelId'))[1] as model_id,
    (array_agg((l.before ->> 'statusId')::smallint order by l.id) filter (where l.before ? 'statusId'))[1] as status_id
  from audit_log l
  where l.entity_id = m.entity_id and l.entity_type_id = m.entity_type_id and l.outcome = 'done' and l.id >= m.id) t
where m.call = 'Device/SetDeviceDetails' and m.outcome = 'done' and m.before ? 'customerId' and m.after ? 'customerId'
on conflict do nothing;

create function pg_temp.owner_then(of_device integer, moment timestamptz) returns integer language sql as $$
  select coalesce(
    (select customer_id from device_departure where device_id = of_device and left_at > moment order by left_at limit 1),
    (select customer_id from device where id = of_device))
$$;

-- Today's owner first, at the speed of one join; then the few devices that ever moved.
alter table alert add column customer_id integer;
update alert a set customer_id = d.customer_id from device d where d.id = a.device_id;
update alert set customer_id = pg_temp.owner_then(device_id, found_at)
-- One that is open is looked after by whoever has the device.
where device_id in (select device_id from device_departure) and status_id = 2;

alter table device_command add column customer_id integer;
update device_command c set customer_id = d.customer_id from device d where d.id = c.device_id;
update device_command set customer_id = pg_temp.owner_then(device_id, accepted_at)
where device_id in (select device_id from device_departure);

alter table maintenance_entry add column customer_id integer;
update maintenance_entry m set customer_id = d.customer_id from device d where d.id = m.device_id;
update maintenance_entry set customer_id = pg_temp.owner_then(device_id, created_at)
where device_id in (select device_id from device_departure);

-- Whose the last wish was, and the person behind the name, who may be staff.
alter table device_setting add column customer_id integer, add column desired_by_id integer;
update device_setting s set customer_id = pg_temp.owner_then(device_id, coalesce(desired_at, now())), desired_by_id =
  (select u.id from app_user u where lower(u.username) = lower(s.desired_by) order by u.deleted_at nulls first limit 1);

create function note_departure() returns trigger language plpgsql as $$
declare
  today date := (clock_timestamp() at time zone 'UTC')::date;
begin
  begin
    today := (clock_timestamp() at time zone old.time_zone)::date;
  exception when invalid_parameter_value then
    -- The application may know zones that the database does not.
    null;
  end;
  insert into device_departure (device_id, left_at, customer_id, name, address, model_id, status_id, last_day)
  values (old.id, clock_timestamp(), old.customer_id, old.name, old.address, old.model_id, old.status_id, today);
  return null;
end $$;
create trigger device_left after update of customer_id on device for each row
  when (old.customer_id <> new.customer_id) execute function note_departure();

-- Whoever writes such a row, it is of the customer who has the device in that moment.
create function note_customer() returns trigger language plpgsql as $$
begin
  new.customer_id := (select customer_id from device where id = new.device_id);
  return new;
end $$;
create trigger device_command_customer before insert on device_command for each row execute function note_customer();
create trigger maintenance_customer before insert on maintenance_entry for each row execute function note_customer();
create trigger device_setting_customer before insert or update of desired_at on device_setting
  for each row execute function note_customer();

-- Readings open alerts without asking for the device's row, so a move of the device is waited for.
create function note_customer_of_alert() returns trigger language plpgsql as $$
begin
  perform lock_alert_counts(array[new.device_id], false);
  new.customer_id := (select customer_id from device where id = new.device_id);
  return new;
end $$;
create trigger alert_customer before insert on alert for each row execute function note_customer_of_alert();

create index alert_newest_of_customer on alert (customer_id, created_at desc, id desc) include (device_id)
  where withdrawn_at is null;
create index alert_opened_of_customer on alert (customer_id, created_at desc, id desc) include (words_hash, device_id)
  where status_id = 1 and withdrawn_at is null;

-- The one row of a move is read by both sides, each its own half.
alter table audit_log add column arrived_customer_id integer;
update audit_log set arrived_customer_id = (after ->> 'customerId')::integer
where call = 'Device/SetDeviceDetails' and outcome = 'done' and before ? 'customerId' and after ? 'customerId';
create index audit_log_arrived on audit_log (arrived_customer_id, inserted_at desc, id desc)
  where arrived_customer_id is not null;

-- Alerts are counted for their own customer, and a device that moves takes none along.
insert into alert_change (customer_id, quarter, alerts)
select whose.customer_id, quarter_of(a.created_at), sum(whose.alerts)
from alert a join device d on d.id = a.device_id and d.deleted_at is null
cross join lateral (values (a.customer_id, 1), (d.customer_id, -1)) as whose (customer_id, alerts)
where a.withdrawn_at is null and a.customer_id <> d.customer_id group by 1, 2;

create or replace function count_inserted_alerts() returns trigger language plpgsql as $$
begin
  perform lock_alert_counts(array(select distinct device_id from new_rows), false);
  insert into alert_change (customer_id, quarter, alerts)
  select n.customer_id, quarter_of(n.created_at), count(*) from new_rows n
  join device d on d.id = n.device_id and d.deleted_at is null
  where n.withdrawn_at is null group by 1, 2;
  return null;
end $$;

create or replace function count_deleted_alerts() returns trigger language plpgsql as $$
begin
  perform lock_alert_counts(array(select distinct device_id from old_rows), false);
  insert into alert_change (customer_id, quarter, alerts)
  select o.customer_id, quarter_of(o.created_at), -count(*) from old_rows o
  join device d on d.id = o.device_id and d.deleted_at is null
  where o.withdrawn_at is null group by 1, 2;
  return null;
end $$;

create or replace function count_moved_alert() returns trigger language plpgsql as $$
begin
  perform lock_alert_counts(array[new.device_id], false);
  insert into alert_change (customer_id, quarter, alerts)
  select new.customer_id, quarter_of(change.at), change.alerts
  from (values (old.created_at, -1, old.withdrawn_at), (new.created_at, 1, new.withdrawn_at)) as change (at, alerts, gone)
  join device d on d.id = new.device_id and d.deleted_at is null
  where change.gone is null;
  return null;
end $$;

create or replace function count_updated_devices() returns trigger language plpgsql as $$
declare
  counted integer[] := array(
    select id from old_rows o join new_rows n using (id)
    where o.status_id <> n.status_id or o.customer_id <> n.customer_id
      or (o.deleted_at is null) <> (n.deleted_at is null));
  gone integer[] := array(
    select id from old_rows o join new_rows n using (id) where (o.deleted_at is null) <> (n.deleted_at is null));
begin
  if cardinality(counted) = 0 then return null; end if;
  insert into device_counted (device_id) select id from new_rows where id = any (counted) and deleted_at is null
  on conflict do nothing;
  perform count_devices(counted);
  if cardinality(gone) = 0 then return null; end if;
  perform lock_alert_counts(gone, true);
  insert into alert_change (customer_id, quarter, alerts)
  select a.customer_id, quarter_of(a.created_at), sum(case when n.deleted_at is null then 1 else -1 end)
  from alert a join new_rows n on n.id = a.device_id
  where a.device_id = any (gone) and a.withdrawn_at is null group by 1, 2;
  return null;
end $$;

grant select, insert on device_departure to wayside_app;
