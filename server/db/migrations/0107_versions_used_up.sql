-- expand: a device that holds the highest version of settings is known, so that somebody renews its key

-- Since when the device says that it holds settings of a version above which there is no room. It takes no other before it
-- has a new key; null while it takes them.
alter table device_settings add column versions_used_up_since timestamptz;
