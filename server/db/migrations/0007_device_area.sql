-- A deleted device keeps its row, so that whoever was there stays known by its number; its identity is free again.
alter table device drop constraint device_guid_key;
create unique index device_guid on device (guid) where deleted_at is null;

-- Devices whose data is to go. Looked at again and again for a day, because a batch that waited for the database may
-- still store what such a device said before.
create table device_deletion (
  device_id  integer primary key,
  deleted_at timestamptz not null default now(),
  -- When to look for data next; null when nothing can come any more.
  due_at     timestamptz default now(),
  -- How often nothing was left.
  checks     integer not null default 0,
  -- When the last of it was gone.
  emptied_at timestamptz
);
create index device_deletion_due on device_deletion (due_at) where due_at is not null;
insert into device_deletion (device_id) select id from device where deleted_at is not null;

-- Years that somebody has edited; all others are those of the library.
create table holiday_year (
  country_id integer not null references country,
  year       smallint not null,
  edited_at  timestamptz not null default now(),
  edited_by  integer,
  primary key (country_id, year)
);
create table holiday (
  country_id integer not null,
  year       smallint not null,
  date       date not null,
  name       text not null,
  primary key (country_id, date),
  foreign key (country_id, year) references holiday_year on delete cascade
);

-- What a component must say on its buttons before it can be saved.
update device_component set
  label_port1 = case when label_port1 = '' then 'Port 1' else label_port1 end,
  label_port2 = case when label_port2 = '' then 'Port 2' else label_port2 end,
  option_port1 = case when option_port1 = '' then 'FULL' else option_port1 end,
  option_port2 = case when option_port2 = '' then 'FULL' else option_port2 end
where category_id = 3;
update device_component set label_reset = 'Reset' where category_id in (13, 14) and label_reset = '';

grant select, insert on device_deletion to wayside_app;
grant select, insert, update, delete on holiday_year, holiday to wayside_app;
