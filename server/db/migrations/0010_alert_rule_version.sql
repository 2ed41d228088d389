-- Counted up with every change of a condition. A batch names the number by which it evaluated, and fails with WA001 when
-- it is not the present one: whatever arrives after a change was answered is judged by it, in every process.
create table alert_rule_version (
  is_only boolean primary key default true check (is_only),
  version bigint not null default 1
);
insert into alert_rule_version default values;
grant select, update on alert_rule_version to wayside_app;

create or replace function tell_alert_rules() returns trigger language plpgsql as $$
begin
  update alert_rule_version set version = version + 1;
  perform pg_notify('wayside_alert_rules', '');
  return null;
end $$;

create function expect_alert_rules(known bigint) returns void language plpgsql as $$
begin
  if known <> (select version from alert_rule_version) then
    raise exception 'the conditions were changed meanwhile' using errcode = 'WA001';
  end if;
end $$;

-- What the live stream tells of a device: the alerts that changed a moment ago.
create index alert_event_newest on alert_event (device_id, inserted);
