-- expand: whether a condition holds for a device is decided first by what it names, which costs nothing

-- Most conditions name another device, model or customer. PostgreSQL writes this function into the statement that calls
-- it, so that only conditions that name the device cost a call. A part names what its whole names.
alter function condition_applies(alert_condition, device) rename to named_condition_applies;
create function condition_applies(c alert_condition, d device) returns boolean language sql stable as $$
  select condition_names(c, d) and named_condition_applies(c, d)
$$;
