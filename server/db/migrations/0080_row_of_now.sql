-- expand: each device has its row of now from its making on

-- Devices of which something is not known yet are found by an index of `device_now` then, instead of by a look at every
-- device whether it has a row there.
create function begin_device_now() returns trigger language plpgsql as $$
begin
  insert into device_now (device_id) select id from added where deleted_at is null on conflict do nothing;
  return null;
end $$;
create trigger device_now_begun after insert on device referencing new table as added for each statement
  execute function begin_device_now();

insert into device_now (device_id) select id from device where deleted_at is null on conflict do nothing;
