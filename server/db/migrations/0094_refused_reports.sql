-- expand: what of a device is refused now, at hand without counting

-- The present stretch of refusals, or the last one, with its newest example. `rejected_report` has examples of all of them.
create table device_refusal (
  device_id integer primary key,
  since     timestamptz not null,
  last_at   timestamptz not null,
  count     bigint not null,
  reason    text not null,
  detail    text not null,
  topic     text not null,
  payload   bytea not null
);
grant select, insert, update, delete on device_refusal to wayside_app;
