-- expand: a condition whose field has no number holds for every component of its kind, each by a part of its own

alter table alert_condition
  -- The condition that this row is a part of: it watches one of the numbered components that the whole is meant for. Only
  -- parts are judged, each like a condition of its own, and only the whole is listed, edited and replaced.
  add part_of_id  integer,
  add part_number smallint;
create index alert_condition_parts on alert_condition (part_of_id) where part_of_id is not null;

create function whole_condition_applies(c alert_condition, d device) returns boolean language sql stable as $$
  select not c.is_off and condition_names(c, d)
    and (c.overrides_id is null or exists (
      select from alert_condition base where base.id = c.overrides_id and condition_names(base, d)))
    and not exists (
      select from alert_condition other
      where other.overrides_id = coalesce(c.overrides_id, c.id) and other.id <> c.id and condition_names(other, d)
        and (condition_reach(other), other.id) < (case when c.overrides_id is null then 7 else condition_reach(c) end, c.id))
$$;

-- What replaces a condition replaces all of its parts.
create or replace function condition_applies(c alert_condition, d device) returns boolean language sql stable as $$
  select case when c.part_of_id is null then whole_condition_applies(c, d)
    else c.deleted_at is null
      and (select whole_condition_applies(w, d) from alert_condition w where w.id = c.part_of_id) end
$$;
