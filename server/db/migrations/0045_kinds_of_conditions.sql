-- expand: conditions of customers and tags, that override others, with a severity, a level of their own to be over at, and of other kinds

alter table alert_condition
  -- What it asks (domain/alerts/conditionKinds.ts).
  add kind          text not null default 'level',
  -- 1 critical, 2 warning, 3 information.
  add severity_id   smallint not null default 2,
  -- Of a level that is raised above or below value_dec: over only beyond this.
  add clear_dec     double precision,
  -- How long nothing may be heard, seen or reported; within how long a change counts.
  add minutes       integer,
  -- Of a pair: what else has to be so, or may be instead.
  add joined_by     text,
  add second_field_id      integer,
  add second_operator_code text,
  add second_value_dec     double precision,
  add second_value_text    text,
  -- All devices of a customer; with a tag those of them that have it.
  add customer_id   integer,
  -- As its writer wrote it, and as it is compared (domain/devices/tags.ts).
  add tag           text,
  add tag_key       text,
  -- The wider condition that is replaced on these devices by this one.
  add overrides_id  integer,
  -- There is to be no such condition on these devices.
  add is_off        boolean not null default false,
  -- A device, or a model, or a customer and a tag or one of these two: the last are neither.
  drop constraint alert_condition_check,
  add constraint alert_condition_check check (
    num_nonnulls(device_id, model_id) + (customer_id is not null or tag is not null)::int = 1);
create index alert_condition_overrides on alert_condition (overrides_id) where deleted_at is null and overrides_id is not null;

alter table alert add column severity_id smallint not null default 2;

-- Which of two conditions of one kind is meant for fewer devices: the lower.
create function condition_reach(c alert_condition) returns integer language sql immutable as $$
  select case when c.device_id is not null then 1 when c.tag_key is not null and c.customer_id is not null then 2
    when c.tag_key is not null then 3 when c.customer_id is not null then 4 else 5 end
$$;

create function condition_names(c alert_condition, d device) returns boolean language sql immutable as $$
  select c.deleted_at is null and case
    when c.device_id is not null then c.device_id = d.id
    when c.model_id is not null then c.model_id = d.model_id
    else (c.customer_id is null or c.customer_id = d.customer_id)
      and (c.tag_key is null or d.tag_keys @> array[c.tag_key]) end
$$;

-- Whether a condition is judged on a device: it names it, and no narrower one replaces it there. The processes that store
-- readings decide the same by server/telemetry/alerts/alertRules.ts.
create function condition_applies(c alert_condition, d device) returns boolean language sql stable as $$
  select not c.is_off and condition_names(c, d)
    and (c.overrides_id is null or exists (
      select from alert_condition base where base.id = c.overrides_id and condition_names(base, d)))
    and not exists (
      select from alert_condition other
      where other.overrides_id = coalesce(c.overrides_id, c.id) and other.id <> c.id and condition_names(other, d)
        and (condition_reach(other), other.id) < (case when c.overrides_id is null then 6 else condition_reach(c) end, c.id))
$$;

-- A device that came to a customer or to a tag, or left them, has other conditions.
drop trigger device_alerts_changed on device;
create trigger device_alerts_changed after update of status_id, model_id, deleted_at, alerts_from, customer_id, tag_keys on device
  for each row when (old.status_id <> new.status_id or old.model_id <> new.model_id
    or old.deleted_at is distinct from new.deleted_at or old.alerts_from <> new.alerts_from
    or old.customer_id <> new.customer_id or old.tag_keys <> new.tag_keys)
  execute function tell_alert_device();

create or replace function move_alerts(moves jsonb) returns void
language plpgsql as $$
declare
  moved integer;
begin
  insert into alert_state as s (device_id, condition_id, revision, version, last_at, true_since, alert, is_suppressed,
                                open_alert_id)
  select m.device_id, m.condition_id, m.revision, m.version, m.last_at, m.true_since, m.alert, m.is_suppressed,
         m.open_alert_id
  from jsonb_to_recordset(moves) as m (device_id integer, condition_id integer, revision integer, version integer,
         last_at timestamptz, true_since timestamptz, alert smallint, is_suppressed boolean, open_alert_id bigint)
  join alert_condition c on c.id = m.condition_id and c.revision = m.revision and c.deleted_at is null
  order by m.device_id, m.condition_id
  for share of c
  on conflict (device_id, condition_id) do update set revision = excluded.revision, version = excluded.version,
    last_at = excluded.last_at, true_since = excluded.true_since, alert = excluded.alert,
    is_suppressed = excluded.is_suppressed, open_alert_id = excluded.open_alert_id
    where s.version = excluded.version - 1;
  get diagnostics moved = row_count;
  if moved <> jsonb_array_length(moves) then
    raise exception 'the state of a condition moved meanwhile' using errcode = 'WA001';
  end if;

  insert into alert (id, device_id, condition_id, condition_state_id, created_at, found_at, field_id, operator_code,
                     value_dec, value_text, period_id, action_type_id, condition_text, metric_value_dec,
                     metric_value_text, active_count, state_since, severity_id)
  select o.id, m.device_id, m.condition_id, m.alert, o.created_at, o.found_at, o.field_id, o.operator_code,
         o.value_dec, o.value_text, o.period_id, o.action_type_id, o.condition_text, o.metric_value_dec,
         o.metric_value_text, m.times_active, m.state_since, coalesce(o.severity_id, 2)
  from jsonb_to_recordset(moves) as m (device_id integer, condition_id integer, alert smallint, times_active integer,
         state_since timestamptz, opened jsonb)
  cross join lateral jsonb_to_record(m.opened) as o (id bigint, created_at timestamptz, found_at timestamptz,
         field_id integer, operator_code text, value_dec double precision, value_text text, period_id smallint,
         action_type_id smallint, condition_text text, metric_value_dec double precision, metric_value_text text,
         severity_id smallint)
  where m.opened is not null and jsonb_typeof(m.opened) = 'object';

  update alert a set condition_state_id = m.alert, active_count = a.active_count + m.times_active,
    state_since = coalesce(m.state_since, a.state_since)
  from jsonb_to_recordset(moves) as m (device_id integer, condition_id integer, alert smallint, times_active integer,
         state_since timestamptz, open_alert_id bigint, opened jsonb)
  where a.device_id = m.device_id and a.id = m.open_alert_id and jsonb_typeof(m.opened) is distinct from 'object'
    and m.state_since is not null;

  insert into alert_event (device_id, alert_id, kind, at)
  select m.device_id, m.open_alert_id, e.kind, e.at
  from jsonb_to_recordset(moves) as m (device_id integer, open_alert_id bigint, events jsonb)
  cross join lateral jsonb_to_recordset(m.events) as e (kind text, at timestamptz);

  insert into alert_notice (device_id, alert_id, found_at, is_late)
  select m.device_id, m.open_alert_id, o.found_at, o.is_late
  from jsonb_to_recordset(moves) as m (device_id integer, open_alert_id bigint, opened jsonb)
  cross join lateral jsonb_to_record(m.opened) as o (found_at timestamptz, is_late boolean, notifies boolean)
  where jsonb_typeof(m.opened) = 'object' and o.notifies;

  -- Somebody was mailed that it is met, or that it is not.
  insert into alert_turn (device_id, alert_id, turned_at, next_at)
  select a.device_id, a.id, now(), now()
  from jsonb_to_recordset(moves) as m (device_id integer, state_since timestamptz, open_alert_id bigint, opened jsonb)
  join alert a on a.device_id = m.device_id and a.id = m.open_alert_id
  where jsonb_typeof(m.opened) is distinct from 'object' and m.state_since is not null and a.action_type_id = 1
  order by a.device_id, a.id
  on conflict (device_id, alert_id) do update set turned_at = excluded.turned_at, next_at = excluded.next_at;
end $$;
