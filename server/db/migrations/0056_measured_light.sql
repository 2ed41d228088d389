-- expand: light that a sensor measures at a panel, and what an energy meter says

alter table reading_display add column panel_light real;
alter table reading_ecu add column energy real, add column active_power real;

-- Minutes of the day whose light was measured at the panels; null: counted by the version before this one.
alter table device_dark_day add column measured_min smallint;
