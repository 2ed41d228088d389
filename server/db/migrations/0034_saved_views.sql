-- expand: views of the devices that people keep, and share

create table saved_view (
  id                 integer generated always as identity primary key,
  owner_id           integer not null references app_user,
  page               text not null check (page in ('devices', 'locations')),
  name               text not null check (length(name) between 1 and 60),
  -- As the contract has it (contract/http/savedViews.ts).
  content            jsonb not null,
  -- With one of them at most.
  shared_role_id     integer references app_role,
  shared_customer_id integer references customer,
  created_at         timestamptz not null default now(),
  check (shared_role_id is null or shared_customer_id is null)
);
create unique index saved_view_name on saved_view (owner_id, page, lower(name));
create index saved_view_of_role on saved_view (shared_role_id) where shared_role_id is not null;
create index saved_view_of_customer on saved_view (shared_customer_id) where shared_customer_id is not null;

-- Which view opens with a page. It outlives the view, so that its owner is told.
create table default_view (
  user_id integer not null references app_user,
  page    text not null,
  view_id integer not null,
  primary key (user_id, page)
);

grant select, insert, update, delete on saved_view, default_view to wayside_app;
