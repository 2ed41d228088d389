-- expand: roles whose API tokens may serve assistants

-- Off until somebody says so (docs/decisions/0235).
alter table app_role add column allows_assistants boolean not null default false;
