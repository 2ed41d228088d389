-- expand: components that are still to come, and ports of network switches that nothing is plugged into

alter table device_component
  -- Somebody has said that it will report; until it does, nobody is asked whether it is there.
  add column is_expected boolean not null default false,
  -- Its own ports, 1 and 2, that are meant to be without network.
  add column unused_ports smallint[] not null default '{}';
