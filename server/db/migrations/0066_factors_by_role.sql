-- expand: roles that need a second factor

-- For so many days after somebody has the role they get in without one. Null: nobody needs one.
alter table app_role add column factor_grace_days integer;
-- Since when they need one.
alter table app_role add column factor_required_at timestamptz;
-- Since when somebody has their role.
alter table app_user add column role_since timestamptz not null default now();
