-- expand: readings by a wrong clock whose error is known, and what lists show of it

-- `claimed_at` is what the clock of the device said. With this, `device_dt` is the same moment by the clock of the server,
-- and the reading counts as any other (docs/decisions/0254); without, it is when it came, and it counts for nothing.
alter table reading_ecu add column is_corrected boolean;
alter table reading_device add column is_corrected boolean;
alter table reading_display add column is_corrected boolean;
alter table reading_ups add column is_corrected boolean;
alter table reading_power_switch add column is_corrected boolean;
alter table reading_router add column is_corrected boolean;
alter table reading_relay add column is_corrected boolean;
alter table reading_router_relay add column is_corrected boolean;
alter table reading_camera add column is_corrected boolean;
alter table reading_yocto add column is_corrected boolean;

-- How far the clock of the device was ahead of the server's when it was last heard; null while nothing is wrong of it.
alter table device_now
  add column clock_error_ms bigint,
  -- When its newest report came, by the clock of the server, whatever its own said.
  add column heard_at timestamptz;
