-- expand: devices are found by name, place, serial number and customer, in plain letters

-- Folded by domain/devices/searchText.ts, which no statement can: null until a job has done it (docs/decisions/0169).
alter table device add column search_text text;
create index device_search_grams on device using gin (text_grams(coalesce(search_text, ''))) with (fastupdate = off);
create index device_search_waits on device (id) where search_text is null and deleted_at is null;

-- What it was made from has changed; whoever folds it anew says so by writing it.
create function forget_search_text() returns trigger language plpgsql as $$
begin
  new.search_text := null;
  return new;
end $$;
create trigger device_search_text before update of name, address, attr_serial, customer_id on device for each row
  when (new.search_text is not distinct from old.search_text and (new.name, new.address, new.attr_serial, new.customer_id)
    is distinct from (old.name, old.address, old.attr_serial, old.customer_id))
  execute function forget_search_text();

-- As is_common_in_names (migration 0023), of runs that a text has to have.
create function is_common_in_searches(needles text[]) returns boolean language plpgsql volatile as $$
declare
  plan json;
begin
  execute format('explain (format json) select from device where text_grams(coalesce(search_text, '''')) @> %L::text[]',
    needles) into plan;
  return (plan -> 0 -> 'Plan' ->> 'Plan Rows')::float8 > (select reltuples / 2 from pg_class where oid = 'device'::regclass);
end $$;
