-- expand: an override of one device ends when the device leaves the reach of what it replaces

-- Whatever moves a device to another model, customer or tag: an override that only slept would come back, months later and
-- unasked, with the tag.
create function end_overrides_of_device() returns trigger language plpgsql as $$
begin
  update alert_condition c set deleted_at = now()
  from alert_condition base
  where c.device_id = new.id and c.deleted_at is null and base.id = c.overrides_id and not condition_names(base, new);
  return null;
end $$;
create trigger device_overrides_ended after update of model_id, customer_id, tag_keys on device
  for each row when (old.model_id <> new.model_id or old.customer_id <> new.customer_id or old.tag_keys <> new.tag_keys)
  execute function end_overrides_of_device();

update alert_condition c set deleted_at = now()
from alert_condition base, device d
where c.deleted_at is null and base.id = c.overrides_id and d.id = c.device_id and not condition_names(base, d);
