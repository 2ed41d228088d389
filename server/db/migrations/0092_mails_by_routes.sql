-- expand: e-mails of alerts are a route, and one person hears of an incident by one thread of mails

-- Whom routes let the queue of mails tell of an incident.
create table incident_reader (
  incident_id bigint not null,
  -- What one customer has of it; 0: all of it.
  share_id    integer not null,
  -- One person, who is on call; 0: everybody with alert e-mails.
  user_id     integer not null,
  asked_at    timestamptz not null,
  primary key (incident_id, share_id, user_id)
);
grant select, insert, update, delete on incident_reader to wayside_app;

-- A mail may have named the alert before, when it was active in an earlier incident.
alter table alert_notice add column is_again boolean not null default false;

-- The queue of mails tells whom it is about.
alter table incident_notice add column is_mailed boolean not null default false;

-- Who is mailed stays as it was.
insert into notify_route (name, severity_id, steps) values ('Alert e-mails', 3, '[{"afterMinutes": 0, "readers": true}]');
insert into incident_run (incident_id, share_id, route_id, began_at, steps_done)
select s.incident_id, 0, r.id, now(), 1 from incident_share s cross join notify_route r
where s.customer_id = 0 and s.state_id <> 2 and r.name = 'Alert e-mails' and r.customer_id is null;
insert into incident_reader (incident_id, share_id, user_id, asked_at)
select incident_id, 0, 0, now() from incident_share where customer_id = 0 and state_id <> 2
union
select incident_id, 0, 0, now() from notification
where incident_id > 0 and sent_at is null and given_up_at is null;
