-- expand: what displays and UPSes say is wrong with them

alter table reading_display add column lamp_fault integer, add column diagnosis text;
alter table reading_ups add column replace_battery integer, add column alarm text;
