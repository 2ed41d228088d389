-- expand: each alert that asks for a notice is told to everybody who is to know, whatever its incident is

-- Alerts that a message which was sent has named or counted.
create table alert_named (
  device_id integer not null,
  alert_id  bigint not null,
  user_id   integer not null,
  named_at  timestamptz not null,
  primary key (device_id, alert_id, user_id)
);
create index alert_named_at on alert_named (named_at);
grant select, insert, update, delete on alert_named to wayside_app;

insert into alert_named (device_id, alert_id, user_id, named_at)
select p.device_id, p.alert_id, n.user_id, max(n.sent_at) from notification n
join incident_part p on p.incident_id = n.incident_id
where n.sent_at is not null and n.incident_id > 0
group by p.device_id, p.alert_id, n.user_id;

alter table notification drop constraint notification_tells_check;
alter table notification add constraint notification_tells_check
  check (tells in ('opened', 'over', 'again', 'worse', 'more', 'still'));
