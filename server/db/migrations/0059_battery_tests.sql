-- expand: what a UPS says of the last test of its battery, and how much of a data budget is used

alter table reading_ups add column battery_test_result text, add column battery_test_at text;
alter table reading_router add column data_used real, add column data_used_percent real;
