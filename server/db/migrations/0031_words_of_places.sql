-- expand: devices are found by the words of their place alone

-- Folded beside search_text (migration 0029), which has these words too and the index of them.
alter table device add column place_text text;
drop index device_search_waits;
create index device_search_waits on device (id) where (search_text is null or place_text is null) and deleted_at is null;

create function forget_place_text() returns trigger language plpgsql as $$
begin
  new.place_text := null;
  return new;
end $$;
create trigger device_place_text before update of address on device for each row
  when (new.place_text is not distinct from old.place_text and new.address is distinct from old.address)
  execute function forget_place_text();
