-- Since when a role has a function, and by whom (P2 §3 "Role function link").
alter table app_role_function add column created_at timestamptz not null default now();
alter table app_role_function add column created_by integer;
alter table app_role add column created_by integer;
alter table app_role add column updated_at timestamptz;
alter table app_role add column updated_by integer;
alter table app_role add column deleted_by integer;

-- The list of users as it is read, and those of one customer.
create index app_user_by_customer on app_user (customer_id, lower(username), id) where deleted_at is null;

-- Roles are marked as removed: who had one stays readable in the audit log.
revoke delete on app_role from wayside_app;
