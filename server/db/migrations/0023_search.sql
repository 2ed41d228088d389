-- expand: texts are found by any part of them without reading every row, and what alerts say is kept once

-- Every run of one, two and three characters, in lower case as `ilike` compares them. An extension would know only runs
-- of three, and not every database may have it. Costly beside a comparison, which the planner has to know, and never worth
-- a second process.
create function text_grams(words text) returns text[] language sql immutable parallel restricted cost 1000 as $$
  select coalesce(array_agg(distinct substr(folded, place, size)), '{}')
  from lower(words) folded, generate_series(1, 3) size, generate_series(1, length(folded) - size + 1) place
$$;

-- Those of them that a text must have to contain this one: its longest.
create function text_needles(words text) returns text[] language sql immutable parallel restricted as $$
  select coalesce(array_agg(distinct substr(folded, place, size)), '{}')
  from lower(words) folded, least(3, length(folded)) size, generate_series(1, length(folded) - size + 1) place
  where size > 0
$$;

-- Names change rarely: a list of what is not sorted in yet would cost every search. Of all devices, since the planner
-- knows how frequent a run is only by an index that is not partial.
create index device_name_grams on device using gin (text_grams(name)) with (fastupdate = off);
create index device_departure_name_grams on device_departure using gin (text_grams(name)) with (fastupdate = off);

-- Whether most names are likely to hold a text: then looking at them is quicker than the index. As the planner estimates
-- it, whose numbers nobody else may read.
create function is_common_in_names(words text) returns boolean language plpgsql volatile as $$
declare
  plan json;
begin
  execute format('explain (format json) select from device where text_grams(name) @> text_needles(%L)', words) into plan;
  return (plan -> 0 -> 'Plan' ->> 'Plan Rows')::float8 > (select reltuples / 2 from pg_class where oid = 'device'::regclass);
end $$;

-- What alerts say, once for all that say the same; a look at these few rows stands for one at every alert. Rows stay when
-- the last such alert goes.
create table alert_words (
  words_hash     bigint primary key,
  condition_text text not null
);
create index alert_words_grams on alert_words using gin (text_grams(condition_text)) with (fastupdate = off);

create or replace function count_inserted_alerts() returns trigger language plpgsql as $$
begin
  perform lock_alert_counts(array(select distinct device_id from new_rows), false);
  insert into alert_change (customer_id, quarter, alerts)
  select n.customer_id, quarter_of(n.created_at), count(*) from new_rows n
  join device d on d.id = n.device_id and d.deleted_at is null
  where n.withdrawn_at is null group by 1, 2;
  -- Known words are only looked at: two that raise the same alerts do not wait for each other.
  insert into alert_words (words_hash, condition_text)
  select distinct on (n.words_hash) n.words_hash, n.condition_text from new_rows n
  left join alert_words known on known.words_hash = n.words_hash
  where known.words_hash is null
  order by n.words_hash
  on conflict do nothing;
  return null;
end $$;

insert into alert_words (words_hash, condition_text)
select distinct on (words_hash) words_hash, condition_text from alert order by words_hash;

create index alert_newest_of_words on alert (words_hash, created_at desc, id desc) include (device_id)
  where withdrawn_at is null;
create index alert_newest_of_words_of_customer
  on alert (customer_id, words_hash, created_at desc, id desc) include (device_id) where withdrawn_at is null;
-- With the words, so that alerts of devices are told from those of words without a look at their rows.
drop index alert_newest_of_device;
create index alert_newest_of_device on alert (device_id, created_at desc, id desc) include (words_hash)
  where withdrawn_at is null;

grant select, insert on alert_words to wayside_app;
