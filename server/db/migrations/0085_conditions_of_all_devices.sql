-- expand: a condition may hold for all devices

-- A device, or a model, or a customer and a tag or one of these two; none of them: all devices. `condition_names` says so
-- already.
alter table alert_condition
  drop constraint alert_condition_check,
  add constraint alert_condition_check check (
    num_nonnulls(device_id, model_id) + (customer_id is not null or tag is not null)::int <= 1);

-- Which of two conditions of one kind is meant for fewer devices: the lower.
create or replace function condition_reach(c alert_condition) returns integer language sql immutable as $$
  select case when c.device_id is not null then 1 when c.tag_key is not null and c.customer_id is not null then 2
    when c.tag_key is not null then 3 when c.customer_id is not null then 4 when c.model_id is not null then 5 else 6 end
$$;

create or replace function condition_applies(c alert_condition, d device) returns boolean language sql stable as $$
  select not c.is_off and condition_names(c, d)
    and (c.overrides_id is null or exists (
      select from alert_condition base where base.id = c.overrides_id and condition_names(base, d)))
    and not exists (
      select from alert_condition other
      where other.overrides_id = coalesce(c.overrides_id, c.id) and other.id <> c.id and condition_names(other, d)
        and (condition_reach(other), other.id) < (case when c.overrides_id is null then 7 else condition_reach(c) end, c.id))
$$;
