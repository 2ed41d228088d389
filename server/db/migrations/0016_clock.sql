-- Where the database's clock was when somebody last looked at it and it had not jumped. Days are made and dropped only by
-- a clock that is near this moment; what was running before has the newest arrival as its last one.
create table clock_state (
  id      smallint primary key default 1 check (id = 1),
  seen_at timestamptz
) with (fillfactor = 50);
insert into clock_state (seen_at) select max(received_at) from device_state;
grant select, update on clock_state to wayside_app;
