-- expand: mails speak of incidents

-- The incident that it tells of; null before the alert is folded, 0 of mails that ended before there were incidents.
alter table notification add column incident_id bigint;
-- How severe the newest try said that it is. Null before the first.
alter table notification add column told_severity_id smallint;
alter table notification drop constraint notification_tells_check;
alter table notification add constraint notification_tells_check check (tells in ('opened', 'over', 'again', 'worse'));
update notification n set incident_id = 0
where (n.sent_at is not null or n.given_up_at is not null) and not exists (
  select from alert a where a.device_id = n.device_id and a.id = n.alert_id and a.status_id = 1 and a.withdrawn_at is null);
create index notification_of_incident on notification (incident_id) where incident_id > 0;
create index notification_of_none on notification (device_id, alert_id) where incident_id is null;

-- Shares of incidents that have changed: the queue of mails looks who is to be told.
create table incident_turn (
  incident_id bigint not null,
  -- 0: all of it.
  customer_id integer not null,
  -- When the server knew that it is over, or active.
  turned_at   timestamptz not null,
  -- When to look: later where calm has to last first.
  next_at     timestamptz,
  primary key (incident_id, customer_id)
);
create index incident_turn_due on incident_turn (next_at) where next_at is not null;
grant select, insert, update, delete on incident_turn to wayside_app;

insert into incident_turn (incident_id, customer_id, turned_at, next_at)
select incident_id, customer_id, now(), now() from incident_share;
insert into incident_due (device_id, alert_id)
select distinct device_id, alert_id from notification where sent_at is null and given_up_at is null;
