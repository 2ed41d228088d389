-- expand: how closing days goes on

-- When it last ended a run, how long that took, and how much of it was work.
alter table closing_state add column ran_at timestamptz;
alter table closing_state add column ran_ms double precision;
alter table closing_state add column worked_ms double precision;
