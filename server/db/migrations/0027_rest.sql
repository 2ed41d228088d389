-- expand: tables that change all the time and stay as large as they are are analyzed seldom

-- PostgreSQL looks at a table after 50 changes and a tenth of its rows, once a minute at most, and writes a row for each
-- column of it. What the planner needs to know of these moves with the number of devices only.
alter table device_now set (
  autovacuum_vacuum_threshold = 1000, autovacuum_analyze_threshold = 5000, autovacuum_analyze_scale_factor = 5
);
alter table device_state set (autovacuum_analyze_threshold = 5000, autovacuum_analyze_scale_factor = 5);
alter table state_mark set (autovacuum_analyze_threshold = 5000, autovacuum_analyze_scale_factor = 5);
alter table server_process set (autovacuum_vacuum_threshold = 1000, autovacuum_analyze_threshold = 5000);
-- Nobody searches in them, and the samples of such documents are large.
alter table device_state alter column fields set statistics 0;
