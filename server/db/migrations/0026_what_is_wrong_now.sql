-- expand: alerts are found by when they were active last, devices by what is wrong of them now

-- Active at any moment since some time, whenever it opened (decisions: Now). A state that moves changes it.
create index alert_last_active on alert ((case when condition_state_id = 2 then state_since
    when status_id = 2 then coalesce(closed_at, created_at)
    else 'infinity'::timestamptz end)) include (device_id) where withdrawn_at is null;
create index alert_last_active_of_customer on alert (customer_id, (case when condition_state_id = 2 then state_since
    when status_id = 2 then coalesce(closed_at, created_at)
    else 'infinity'::timestamptz end)) include (device_id) where withdrawn_at is null;

-- Open alerts are counted by whether they are so now.
drop index alert_opened_words;
create index alert_opened_words on alert (words_hash, device_id) include (condition_state_id)
  where status_id = 1 and withdrawn_at is null;

alter table device_now
  -- Of a device of which nothing is worse than its alerts: what the worst of them has to do with. 1 what light hangs on,
  -- 2 heat and power, 3 anything else.
  add alert_consequence smallint,
  -- A power command of the last day of which nobody knows what became: {name, args, at}.
  add unknown_command   jsonb,
  -- Whose it is, only while it is Paired: then what is wrong of it counts.
  add customer_id       integer,
  -- One bit for each kind in their order (domain/darkness/wrongKinds.ts): the lowest is the worst. 0: nothing is wrong.
  add wrong_kinds       smallint not null default 0,
  add wrong_since       timestamptz;

-- Worst first, and counted without a look at the devices.
create index device_now_wrong on device_now
  ((wrong_kinds & -wrong_kinds), alert_consequence, wrong_since, device_id) include (wrong_kinds)
  where wrong_kinds > 0 and customer_id is not null;
create index device_now_wrong_of_customer on device_now
  (customer_id, (wrong_kinds & -wrong_kinds), alert_consequence, wrong_since, device_id) include (wrong_kinds)
  where wrong_kinds > 0 and customer_id is not null;

-- What is deleted, moved or no longer Paired counts no more from that commit on, and for nobody else before it was judged.
create function uncount_verdict() returns trigger language plpgsql as $$
begin
  -- What was told to a device before is nothing for who has it now.
  update device_now set customer_id = null,
    cause = case when new.customer_id = old.customer_id then cause end,
    unknown_command = case when new.customer_id = old.customer_id then unknown_command end
  where device_id = new.id;
  return null;
end $$;
create trigger device_verdict_uncounted after update of status_id, customer_id, deleted_at on device for each row
  when ((old.status_id, old.customer_id, old.deleted_at) is distinct from (new.status_id, new.customer_id, new.deleted_at))
  execute function uncount_verdict();

-- Counts up with every verdict that changes; consoles that watch look at nothing else while nothing does.
create sequence verdict_change;
grant usage, select on sequence verdict_change to wayside_app;
