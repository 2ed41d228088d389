-- expand: how many devices somebody has changed without a fresh proof of who they are

-- One row a user, whose devices and times stand in the same order: of calls at the same moment each counts the others.
create table unproved_change (
  user_id    integer primary key references app_user on delete cascade,
  device_ids integer[] not null,
  changed_at timestamptz[] not null
);

grant select, insert, update on unproved_change to wayside_app;
