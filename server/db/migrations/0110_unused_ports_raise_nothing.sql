-- expand: conditions are not judged for ports of network switches that are marked unused

-- Fields 7101 to 7104 tell of the ports of both switches, two of each. Of most conditions no component is looked up.
create function is_unused_port(field integer, device integer) returns boolean language sql stable as $$
  select coalesce(field between 7101 and 7104, false) and exists (
    select from device_component dc
    where dc.device_id = device and field - 7100 - 2 * (dc.number - 1) = any(dc.unused_ports))
$$;

-- A condition that is met by either of two fields goes on with the one that is in use.
create function watches_unused_port(c alert_condition, device integer) returns boolean language sql stable as $$
  select case when c.joined_by = 'or'
    then is_unused_port(c.field_id, device) and is_unused_port(c.second_field_id, device)
    else is_unused_port(c.field_id, device) or is_unused_port(c.second_field_id, device) end
$$;

create or replace function condition_applies(c alert_condition, d device) returns boolean language sql stable as $$
  select not watches_unused_port(c, d.id)
    and case when c.part_of_id is null then whole_condition_applies(c, d)
      else c.deleted_at is null
        and (select whole_condition_applies(w, d) from alert_condition w where w.id = c.part_of_id) end
$$;

create index device_component_unused_ports on device_component (device_id) where unused_ports <> '{}';
