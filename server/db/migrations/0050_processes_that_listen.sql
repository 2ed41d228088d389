-- expand: which processes take what devices say, now that not every one does

-- Those of the version before this one all do.
alter table server_process add column listens boolean not null default true;
