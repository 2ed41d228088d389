-- expand: what a UPS says of the last test of its battery

alter table reading_ups add column battery_test_result text, add column battery_test_at text;
