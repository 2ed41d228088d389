-- expand: devices whose address names no place are places of their own

update incident_part set place_text = null where place_text ~ '^[[:space:][:punct:]]*$';
-- What stands open in an incident with others for no better reason leaves it.
insert into incident_due (device_id, alert_id)
select distinct p.device_id, p.alert_id from incident_part p
where p.is_open and p.place_text is null and p.latitude is null;
