-- expand: alerts are found by when they were active last, devices by what is wrong of them now

-- Active at any moment since some time, whenever it opened (decisions: Now). A state that moves changes it.
create index alert_last_active on alert ((case when condition_state_id = 2 then state_since
    when status_id = 2 then coalesce(closed_at, created_at)
    else 'infinity'::timestamptz end)) include (device_id, customer_id) where withdrawn_at is null;

-- Open alerts are counted by whether they are so now.
drop index alert_opened_words;
create index alert_opened_words on alert (words_hash, device_id) include (condition_state_id)
  where status_id = 1 and withdrawn_at is null;

alter table device_now
  -- What the worst of its active alerts has to do with: 1 what light hangs on, 2 heat and power, 3 anything else.
  add alert_consequence smallint,
  -- A power command of the last day of which nobody knows what became: {name, args, at}.
  add unknown_command   jsonb;

create index device_now_wrong on device_now (device_id)
  where light = 'unplanned' or is_silent or active_alerts > 0 or unknown_command is not null or is_on_battery;
create index device_now_light on device_now (light, device_id);

-- Counts up with every verdict that changes; consoles that watch look at nothing else while nothing does.
create sequence verdict_change;
grant usage, select on sequence verdict_change to wayside_app;
