-- expand: mails tell that an alert is over, and that it is met again

-- A mail about an alert that somebody was told of before: 0 told that it was opened, each next one tells of a turn.
alter table notification add column turn smallint not null default 0;
alter table notification add column tells text not null default 'opened' check (tells in ('opened', 'over', 'again'));
-- What the newest try said: whether the condition was no longer met. Null before the first.
alter table notification add column told_over boolean;
alter table notification drop constraint notification_pkey;
alter table notification add primary key (device_id, alert_id, user_id, channel, turn);

-- Alerts that are mailed and whose condition is met again, or no longer: the queue of mails looks who is to be told.
create table alert_turn (
  device_id integer not null,
  alert_id  bigint not null,
  -- When the server knew.
  turned_at timestamptz not null,
  -- When to look: later where calm has to last first.
  next_at   timestamptz not null,
  primary key (device_id, alert_id)
);
create index alert_turn_due on alert_turn (next_at);
grant select, insert, update, delete on alert_turn to wayside_app;

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
                     metric_value_text, active_count, state_since)
  select o.id, m.device_id, m.condition_id, m.alert, o.created_at, o.found_at, o.field_id, o.operator_code,
         o.value_dec, o.value_text, o.period_id, o.action_type_id, o.condition_text, o.metric_value_dec,
         o.metric_value_text, m.times_active, m.state_since
  from jsonb_to_recordset(moves) as m (device_id integer, condition_id integer, alert smallint, times_active integer,
         state_since timestamptz, opened jsonb)
  cross join lateral jsonb_to_record(m.opened) as o (id bigint, created_at timestamptz, found_at timestamptz,
         field_id integer, operator_code text, value_dec double precision, value_text text, period_id smallint,
         action_type_id smallint, condition_text text, metric_value_dec double precision, metric_value_text text)
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
