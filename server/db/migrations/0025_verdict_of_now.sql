-- expand: what is so of each device now is kept beside what lists show of it

-- Worked out by one job for all devices (docs/decisions/0165), and only written when it changes. Each is so at least
-- since the moment beside it; null where that is not known.
alter table device_now
  alter newest_at drop not null,
  -- Of its worst display; null of a device without displays, and of one that was not judged yet.
  add light           text,
  add light_since     timestamptz,
  -- Why: {displayNumber, displayName, finding, link, sentence, action}; null where there is nothing to say.
  add cause           jsonb,
  -- Null where no UPS tells it.
  add is_on_battery   boolean,
  add battery_since   timestamptz,
  -- No report for two report periods, or no connection; null while it was not judged.
  add is_silent       boolean,
  add silent_since    timestamptz,
  -- Opened and Active.
  add active_alerts   integer;
