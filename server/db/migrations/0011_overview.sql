-- What the overview counts is counted when it changes, so that a fleet of any size is answered at once. Counts are rows
-- that are only ever added, of which each says how many more or fewer: writers never wait for each other, and what is
-- read is the sum. A job puts rows together.

-- Devices by customer, status and the processes that hear them (sorted, none: offline). Whether such a process is alive
-- is asked when it is read, as everywhere.
create table fleet_count (
  customer_id integer not null,
  status_id   smallint not null,
  process_ids uuid[] not null,
  devices     integer not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index fleet_count_customer on fleet_count (customer_id);

-- How each existing device was counted, to take it back when it changes.
create table device_counted (
  device_id   integer primary key,
  customer_id integer,
  status_id   smallint,
  process_ids uuid[]
) with (fillfactor = 70);
create index device_counted_customer on device_counted (customer_id, device_id);
-- Whose alerts are not shown, also before a job takes them away.
create index device_gone on device (id) where deleted_at is not null;

-- After devices or their connections changed. Two transactions that change one device come here one after the other,
-- and the later reads what the earlier wrote.
create function count_devices(changed integer[]) returns void language plpgsql as $$
begin
  perform from device_counted where device_id = any (changed) order by device_id for update;
  with wanted as (
    select d.id, d.customer_id, d.status_id, coalesce(
      (select array_agg(distinct c.process_id order by c.process_id) from device_connection c
       where c.device_id = d.id and not c.is_silent), '{}') as process_ids
    from device d where d.id = any (changed) and d.deleted_at is null),
  moved as (
    select k.device_id, k.customer_id, k.status_id, k.process_ids, w.id is null as is_gone,
      w.customer_id as to_customer_id, w.status_id as to_status_id, w.process_ids as to_process_ids
    from device_counted k left join wanted w on w.id = k.device_id
    where k.device_id = any (changed)
      and (k.customer_id, k.status_id, k.process_ids) is distinct from (w.customer_id, w.status_id, w.process_ids)),
  gone as (delete from device_counted k using moved m where m.is_gone and k.device_id = m.device_id),
  kept as (
    update device_counted k
    set customer_id = m.to_customer_id, status_id = m.to_status_id, process_ids = m.to_process_ids
    from moved m where not m.is_gone and k.device_id = m.device_id)
  insert into fleet_count (customer_id, status_id, process_ids, devices)
  select customer_id, status_id, process_ids, sum(devices) from (
    select customer_id, status_id, process_ids, -1 as devices from moved
    union all select to_customer_id, to_status_id, to_process_ids, 1 from moved) change
  where customer_id is not null
  group by 1, 2, 3 having sum(devices) <> 0;
end $$;

-- Alerts of existing devices that were not withdrawn, by the quarter of an hour in which they opened: zones of the world
-- differ by quarters. Rows here are changes that are not in alert_day yet.
create table alert_change (
  customer_id integer not null,
  quarter     timestamptz not null,
  alerts      integer not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create function sums_of_four(quarters integer[]) returns integer[] language sql immutable parallel safe as $$
  select array_agg(hour.alerts order by hour.number) from (
    select (ordinality - 1) / 4 as number, sum(alerts)::integer as alerts
    from unnest(quarters) with ordinality as q (alerts, ordinality) group by 1) hour
$$;

create function sums_of_both(first integer[], second integer[]) returns integer[] language sql immutable parallel safe as $$
  select array_agg(f + s order by number) from unnest(first, second) with ordinality as slots (f, s, number)
$$;

-- UTC days: 96 quarters, and the same as 24 hours for the many zones that need no more. Customer 0 stands for all.
create table alert_day (
  customer_id integer not null,
  day         date not null,
  quarters    integer[] not null,
  hours       integer[] not null,
  primary key (customer_id, day)
);

create function quarter_of(moment timestamptz) returns timestamptz language sql immutable parallel safe as $$
  select date_bin('15 minutes', moment, timestamptz '1970-01-01 00:00:00Z')
$$;

-- An alert is counted for the customer of its device. Whoever counts holds the lock of its device shared, whoever moves
-- or deletes a device holds it alone, so that none is counted for one customer and taken back from another. Few locks
-- for all devices, because a batch may raise thousands of alerts.
create function lock_alert_counts(devices integer[], is_alone boolean) returns void language plpgsql as $$
declare
  part integer;
begin
  for part in select distinct d % 64 from unnest(devices) d order by 1 loop
    if is_alone then perform pg_advisory_xact_lock(7720, part);
    else perform pg_advisory_xact_lock_shared(7720, part);
    end if;
  end loop;
end $$;

create function count_inserted_alerts() returns trigger language plpgsql as $$
begin
  perform lock_alert_counts(array(select distinct device_id from new_rows), false);
  insert into alert_change (customer_id, quarter, alerts)
  select d.customer_id, quarter_of(n.created_at), count(*) from new_rows n
  join device d on d.id = n.device_id and d.deleted_at is null
  where n.withdrawn_at is null group by 1, 2;
  return null;
end $$;
create trigger alert_inserted after insert on alert referencing new table as new_rows
  for each statement execute function count_inserted_alerts();

create function count_deleted_alerts() returns trigger language plpgsql as $$
begin
  perform lock_alert_counts(array(select distinct device_id from old_rows), false);
  insert into alert_change (customer_id, quarter, alerts)
  select d.customer_id, quarter_of(o.created_at), -count(*) from old_rows o
  join device d on d.id = o.device_id and d.deleted_at is null
  where o.withdrawn_at is null group by 1, 2;
  return null;
end $$;
create trigger alert_deleted after delete on alert referencing old table as old_rows
  for each statement execute function count_deleted_alerts();

-- Rare: what came late moved or withdrew it.
create function count_moved_alert() returns trigger language plpgsql as $$
begin
  perform lock_alert_counts(array[new.device_id], false);
  insert into alert_change (customer_id, quarter, alerts)
  select d.customer_id, quarter_of(change.at), change.alerts
  from (values (old.created_at, -1, old.withdrawn_at), (new.created_at, 1, new.withdrawn_at)) as change (at, alerts, gone)
  join device d on d.id = new.device_id and d.deleted_at is null
  where change.gone is null;
  return null;
end $$;
create trigger alert_moved after update on alert for each row
  when (old.created_at <> new.created_at or (old.withdrawn_at is null) <> (new.withdrawn_at is null))
  execute function count_moved_alert();

create function count_inserted_devices() returns trigger language plpgsql as $$
begin
  insert into device_counted (device_id) select id from new_rows where deleted_at is null;
  perform count_devices(array(select id from new_rows));
  return null;
end $$;
create trigger device_inserted after insert on device referencing new table as new_rows
  for each statement execute function count_inserted_devices();

create function count_updated_devices() returns trigger language plpgsql as $$
declare
  counted integer[] := array(
    select id from old_rows o join new_rows n using (id)
    where o.status_id <> n.status_id or o.customer_id <> n.customer_id
      or (o.deleted_at is null) <> (n.deleted_at is null));
  owned integer[] := array(
    select id from old_rows o join new_rows n using (id)
    where o.customer_id <> n.customer_id or (o.deleted_at is null) <> (n.deleted_at is null));
begin
  if cardinality(counted) = 0 then return null; end if;
  insert into device_counted (device_id) select id from new_rows where id = any (counted) and deleted_at is null
  on conflict do nothing;
  perform count_devices(counted);
  if cardinality(owned) = 0 then return null; end if;
  perform lock_alert_counts(owned, true);
  insert into alert_change (customer_id, quarter, alerts)
  select customer_id, quarter, sum(alerts) from (
    select o.customer_id, quarter_of(a.created_at) as quarter, -1 as alerts
    from alert a join old_rows o on o.id = a.device_id
    where a.device_id = any (owned) and a.withdrawn_at is null and o.deleted_at is null
    union all
    select n.customer_id, quarter_of(a.created_at), 1
    from alert a join new_rows n on n.id = a.device_id
    where a.device_id = any (owned) and a.withdrawn_at is null and n.deleted_at is null) change
  group by 1, 2 having sum(alerts) <> 0;
  return null;
end $$;
create trigger device_updated after update on device referencing old table as old_rows new table as new_rows
  for each statement execute function count_updated_devices();

create function count_connected_devices() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then perform count_devices(array(select distinct device_id from new_rows));
  elsif tg_op = 'DELETE' then perform count_devices(array(select distinct device_id from old_rows));
  else perform count_devices(array(select distinct device_id from new_rows));
  end if;
  return null;
end $$;
create trigger device_connected after insert on device_connection referencing new table as new_rows
  for each statement execute function count_connected_devices();
create trigger device_disconnected after delete on device_connection referencing old table as old_rows
  for each statement execute function count_connected_devices();
create trigger device_connection_changed after update on device_connection
  referencing old table as old_rows new table as new_rows
  for each statement execute function count_connected_devices();

-- Puts the rows of counts together; whoever runs it, and how often at once, changes no sum.
create function gather_overview_counts() returns void language sql as $$
  with several as (
    select customer_id, status_id, process_ids from fleet_count group by 1, 2, 3
    having count(*) > 1 or sum(devices) = 0),
  taken as (
    delete from fleet_count f using several s
    where f.customer_id = s.customer_id and f.status_id = s.status_id and f.process_ids = s.process_ids
    returning f.*)
  insert into fleet_count (customer_id, status_id, process_ids, devices)
  select customer_id, status_id, process_ids, sum(devices) from taken group by 1, 2, 3 having sum(devices) <> 0;

  with taken as (delete from alert_change returning *),
  summed as (
    select customer_id, quarter, sum(alerts)::integer as alerts from taken group by 1, 2
    union all select 0, quarter, sum(alerts)::integer from taken group by 2),
  days as (select distinct customer_id, (quarter at time zone 'UTC')::date as day from summed),
  filled as (
    select d.customer_id, d.day, array_agg(coalesce(s.alerts, 0) order by slot) as quarters
    from days d cross join generate_series(0, 95) slot
    left join summed s on s.customer_id = d.customer_id
      and s.quarter = (d.day::timestamp at time zone 'UTC') + slot * interval '15 minutes'
    group by 1, 2)
  insert into alert_day as a (customer_id, day, quarters, hours)
  select customer_id, day, quarters, sums_of_four(quarters) from filled order by 1, 2
  on conflict (customer_id, day) do update set
    quarters = sums_of_both(a.quarters, excluded.quarters), hours = sums_of_both(a.hours, excluded.hours);
$$;

-- The warmest devices of each customer as a job found them; which of them are the ten warmest now is read from their
-- newest readings.
create table hot_device (
  customer_id   integer not null,
  device_id     integer not null,
  internal_temp double precision not null
);
create index hot_device_warmest on hot_device (internal_temp desc);
create index hot_device_of_customer on hot_device (customer_id, internal_temp desc);

-- The devices of the newest alerts, without a look at their rows.
drop index alert_newest;
create index alert_newest on alert (created_at desc, id desc) include (device_id) where withdrawn_at is null;

-- Open alerts of the same words, by a number for these words: the words themselves may be too long for an index.
alter table alert add column words_hash bigint not null
  generated always as (hashtextextended(condition_text, field_id)) stored;
create index alert_opened_words on alert (words_hash, device_id) where status_id = 1 and withdrawn_at is null;

-- What is there already.
insert into device_counted (device_id) select id from device where deleted_at is null;
select count_devices(array(select id from device));
insert into alert_change (customer_id, quarter, alerts)
select d.customer_id, quarter_of(a.created_at), count(*) from alert a
join device d on d.id = a.device_id and d.deleted_at is null
where a.withdrawn_at is null group by 1, 2;
select gather_overview_counts();

grant select, insert, update, delete on fleet_count, device_counted, alert_change, alert_day to wayside_app;
grant select on hot_device to wayside_app;
-- Moves with every change of an alert: what tells consoles looks at it.
grant select on sequence alert_event_id_seq to wayside_app;
