-- expand: devices have tags, labels by which they are narrowed and found

-- The keys are what is compared, by domain/devices/tags.ts, which no statement can (docs/decisions/0173).
alter table device add column tags text[] not null default '{}' check (cardinality(tags) <= 20),
  add column tag_keys text[] not null default '{}' check (cardinality(tag_keys) = cardinality(tags));
create index device_tag_keys on device using gin (tag_keys) with (fastupdate = off);

drop trigger device_search_text on device;
create trigger device_search_text before update of name, address, attr_serial, customer_id, tags on device for each row
  when (new.search_text is not distinct from old.search_text
    and (new.name, new.address, new.attr_serial, new.customer_id, new.tags)
    is distinct from (old.name, old.address, old.attr_serial, old.customer_id, old.tags))
  execute function forget_search_text();

-- As is_common_in_names (migration 0023): of so many a walk in the order of the list soon meets enough; few are gathered
-- and ordered, because the walk may find them all at its end.
create function are_common_tags(keys text[]) returns boolean language plpgsql volatile as $$
declare
  plan json;
begin
  execute format('explain (format json) select from device where tag_keys @> %L::text[]', keys) into plan;
  return (plan -> 0 -> 'Plan' ->> 'Plan Rows')::float8 > (select reltuples / 5 from pg_class where oid = 'device'::regclass);
end $$;
