-- expand: what the tiles of the Overview counted, every half hour, so that they can show a day of it

create table fleet_sample (
  at                      timestamptz not null,
  -- 0 stands for all customers.
  customer_id             integer not null,
  devices_active          integer not null,
  devices_maintenance     integer not null,
  devices_out_of_order    integer not null,
  devices_pending         integer not null,
  devices_all             integer not null,
  devices_with_alerts_24h integer not null,
  primary key (customer_id, at)
);
create index fleet_sample_by_time on fleet_sample (at);

grant select on fleet_sample to wayside_app;
