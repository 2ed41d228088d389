-- expand: what the clock judges: when the server last looked, and when nobody did

-- The leader says every few seconds that it looks, while devices can reach any process and what they say is stored.
create table server_beat (
  is_only boolean primary key default true check (is_only),
  at      timestamptz not null
);

-- Nobody looked: what is not heard of then says nothing of a device.
create table server_outage (
  from_at timestamptz primary key,
  to_at   timestamptz not null
);
create index server_outage_end on server_outage (to_at);
grant select on server_beat, server_outage to wayside_app;
