-- expand: how often the client of a device has started in the last hour, and since when it keeps restarting

alter table reading_device add column client_starts integer;
alter table device_now add restarting_since timestamptz;
