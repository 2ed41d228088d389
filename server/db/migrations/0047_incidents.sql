-- expand: incidents: what alerts have in common

-- What people did with one; what it is stands in its shares, which are worked out (domain/incidents).
create table incident (
  id              bigint generated always as identity primary key,
  -- Its parts are this one's now; null: it stands for itself.
  joined_into     bigint,
  owner_id        integer references app_user,
  acknowledged_at timestamptz,
  snoozed_until   timestamptz,
  created_at      timestamptz not null default now()
);
create index incident_joined on incident (joined_into) where joined_into is not null;
create index incident_snoozed on incident (snoozed_until) where snoozed_until is not null;

-- Each time that an alert was raised: it belongs to one incident.
create table incident_part (
  device_id   integer not null,
  alert_id    bigint not null,
  -- Device time.
  raised_at   timestamptz not null,
  -- When what it tells began.
  onset_at    timestamptz not null,
  -- Null while it lasts.
  over_at     timestamptz,
  -- Whose the device was.
  customer_id integer not null,
  field_id    integer not null,
  severity_id smallint not null,
  -- Nobody has closed the alert, and it was not raised again since.
  is_open     boolean not null,
  -- Where the device stood.
  latitude    double precision,
  longitude   double precision,
  place_text  text,
  -- Of those that people put together or kept apart; 0: nobody did.
  group_id    bigint not null default 0,
  incident_id bigint not null,
  primary key (device_id, alert_id, raised_at)
);
create index incident_part_of on incident_part (incident_id);
create index incident_part_began on incident_part (customer_id, onset_at);
create index incident_part_silent on incident_part (onset_at) where field_id = 1;
create sequence incident_group;

-- What of an incident the people of a customer see; customer 0: all of it.
create table incident_share (
  incident_id     bigint not null,
  customer_id     integer not null,
  began_at        timestamptz not null,
  -- Null while an alert is active.
  over_at         timestamptz,
  -- 0 active, 1 over, 2 closed (contract/call/listWords.ts).
  state_id        smallint not null,
  severity_id     smallint not null,
  alert_count     integer not null,
  active_count    integer not null,
  open_count      integer not null,
  device_count    integer not null,
  place_count     integer not null,
  -- How many customers' devices it reaches.
  customer_count  integer not null,
  cause_device_id integer not null,
  cause_alert_id  bigint not null,
  primary key (incident_id, customer_id)
);
create index incident_share_worst on incident_share (customer_id, state_id, severity_id, began_at desc, incident_id desc);
create index incident_share_newest on incident_share (customer_id, began_at desc, incident_id desc);

create table incident_deed (
  id          bigint generated always as identity primary key,
  incident_id bigint not null,
  kind        text not null check (kind in ('acknowledged', 'noted', 'snoozed', 'woken', 'merged', 'split')),
  at          timestamptz not null default now(),
  user_id     integer,
  username    text not null default '',
  text        text not null default ''
);
create index incident_deed_of on incident_deed (incident_id, id);

-- Alerts that were raised, over, closed or withdrawn, and are not folded yet; or an incident whose parts went with a device.
create table incident_due (
  id          bigint generated always as identity,
  device_id   integer not null,
  alert_id    bigint not null,
  incident_id bigint,
  primary key (device_id, id)
);
create index incident_due_first on incident_due (id);

grant select, insert, update, delete on incident, incident_part, incident_share, incident_deed, incident_due to wayside_app;
grant usage on sequence incident_group to wayside_app;

insert into incident_due (device_id, alert_id)
select device_id, id from alert where status_id = 1 and withdrawn_at is null;

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

  insert into incident_due (device_id, alert_id)
  select m.device_id, m.open_alert_id
  from jsonb_to_recordset(moves) as m (device_id integer, open_alert_id bigint, events jsonb)
  where jsonb_array_length(m.events) > 0;

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
