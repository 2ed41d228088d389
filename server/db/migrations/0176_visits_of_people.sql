-- expand: when people were here, for "Since you were last here"

create table user_visit (
  user_id   integer primary key references app_user on delete cascade,
  -- Noted once in a while as long as they do something.
  seen_at   timestamptz not null,
  -- The end of the visit before this one; null: there was none.
  before_at timestamptz
);
grant select, insert, update, delete on user_visit to wayside_app;
-- "New since" asks for the newest incidents.
create index incident_newest on incident (created_at);
