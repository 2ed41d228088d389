-- expand: an update counts as done after the new version has run for a while

alter table client_rollout
  -- So long the new version has to run in one piece; 0 of updates from before this, which counted at once.
  add observe_minutes integer not null default 0;

alter table client_update
  -- When the new version last began to run, as the device says; set as soon as the update is done.
  add running_since  timestamptz,
  -- Since then the new version has run for long enough; null while the device is observed.
  add proven_at      timestamptz,
  -- Since when an observed device is not connected.
  add away_since     timestamptz,
  -- How often the new version has started again while it was observed.
  add early_restarts smallint not null default 0;
