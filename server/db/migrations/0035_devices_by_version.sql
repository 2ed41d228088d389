-- expand: devices are narrowed by the versions of their clients

-- What a device says while it is updated stands in device_now at once from now on; what was said before, its next report
-- brings. Updates that leave the version as it was stay within their page all the same.
create index device_now_client_version on device_now (client_version);

-- Every version that a client says that it is: one look at the index for each, instead of one at each device.
create function client_versions() returns setof text language plpgsql stable as $$
declare
  known text;
begin
  select min(client_version) into known from device_now;
  while known is not null loop
    return next known;
    select min(client_version) into known from device_now where client_version > known;
  end loop;
end $$;
