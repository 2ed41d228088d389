-- expand: an alert opens only for devices that raise alerts when the reading is stored, whatever a process knew of them

-- Which status raises alerts is said by whoever asks, so that it stands in one place.
create function expect_raising_devices(device_ids integer[], raising_status_ids smallint[]) returns void
language plpgsql as $$
begin
  if exists (
    select from unnest(device_ids) as asked (id)
    left join device d on d.id = asked.id and d.deleted_at is null and d.status_id = any(raising_status_ids)
    where d.id is null
  ) then
    raise exception 'a device raises no alerts any more' using errcode = 'WA001';
  end if;
end $$;
