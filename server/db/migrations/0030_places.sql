-- expand: devices in a view of the map, and the area of all, are counted without reading every device

create index device_by_place on device (latitude, longitude)
  where deleted_at is null and latitude is not null and longitude is not null;
create index device_by_longitude on device (longitude)
  where deleted_at is null and latitude is not null and longitude is not null;
create index device_without_place on device (id)
  where deleted_at is null and not (latitude is not null and longitude is not null);
