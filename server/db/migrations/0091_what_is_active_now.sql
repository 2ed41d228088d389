-- expand: incidents are titled by what is active now, and who was told says when

alter table incident_share
  -- Of the alerts that are active, or of all where none is; null: not worked out yet.
  add column title_device_count integer,
  add column title_place_count integer;
-- Worked out anew where something is over and something is not.
insert into incident_due (device_id, alert_id)
select distinct p.device_id, p.alert_id from incident_part p
where p.over_at is null and exists (
  select from incident_part o where o.incident_id = p.incident_id and o.over_at is not null);

-- Until when it waits, where that is known.
alter table incident_notice add column until_at timestamptz;
-- By which channel somebody is told; null: a note of before, or about none.
alter table incident_notice add column channel_id integer;
-- When it said something for the first time.
alter table incident_message add column first_told_at timestamptz;
update incident_message set first_told_at = told_at where told_at is not null;
