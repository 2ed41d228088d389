-- expand: how often a device claimed newer settings than it was sent, so that one which always does gets no end of documents

-- Since when such claims are counted, and how many raised the version of the settings since then.
alter table device_settings add column raised_since timestamptz;
alter table device_settings add column raised_times integer not null default 0;
