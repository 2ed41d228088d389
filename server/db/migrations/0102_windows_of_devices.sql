-- expand: a maintenance window may be for several chosen devices

-- Of the kind 'devices', which versions before do not make: what they do not know of it, they leave alone.
alter table maintenance_window add column target_device_ids integer[];
alter table maintenance_window
  drop constraint maintenance_window_target_kind_check,
  add constraint maintenance_window_target_kind_check
    check (target_kind in ('device', 'devices', 'tag', 'customer', 'all')),
  drop constraint maintenance_window_check2,
  -- Chosen devices may be of several customers; then it is the staff's, as a tag of all customers is.
  add constraint maintenance_window_check2 check (case target_kind
    when 'devices' then coalesce(cardinality(target_device_ids), 0) > 0
    else target_kind in ('tag', 'all') or customer_id is not null end);
