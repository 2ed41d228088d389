-- expand: whether a condition holds for a device is decided first by what it names, which costs nothing

create function named_condition_applies(c alert_condition, d device) returns boolean language sql stable as $$
  select not watches_unused_port(c, d.id)
    and case when c.part_of_id is null then whole_condition_applies(c, d)
      else c.deleted_at is null
        and (select whole_condition_applies(w, d) from alert_condition w where w.id = c.part_of_id) end
$$;

-- Most conditions name another device, model or customer. PostgreSQL writes this function into the statement that calls
-- it, so that only conditions that name the device cost a call. A part names what its whole names.
create or replace function condition_applies(c alert_condition, d device) returns boolean language sql stable as $$
  select condition_names(c, d) and named_condition_applies(c, d)
$$;
