-- expand: whether light and mains may have been so before the moment since which they are known to be

-- True where nothing was known before: a device that was heard for the first time, or again after a silence.
alter table device_now add column light_is_at_least boolean not null default false;
alter table device_now add column battery_is_at_least boolean not null default false;
