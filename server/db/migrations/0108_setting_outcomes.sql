-- expand: what became of each change of settings, also where the device answered after the call

-- Beside the row of the audit log of the same device, section, number and time, which is written before the device answers
-- and is never changed.
create table setting_outcome (
  device_id  integer not null,
  section    text not null,
  number     smallint not null,
  -- When the transaction of the change began, as in its audit row.
  kept_at    timestamptz not null default now(),
  -- Of the settings with this change.
  version    integer not null,
  -- queued: goes to the device when it connects; unanswered: was sent; replaced: by a newer change before it was answered.
  outcome    text not null check (outcome in ('queued', 'unanswered', 'applied', 'refused', 'replaced')),
  -- The device's words for a refusal.
  errors     jsonb not null default '[]',
  primary key (device_id, kept_at, section, number)
);
create index setting_outcome_open on setting_outcome (device_id, section, number)
  where outcome in ('queued', 'unanswered');

grant select, insert, update on setting_outcome to wayside_app;
