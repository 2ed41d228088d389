-- expand: people whom an administrator wants erased

-- Deleted already; a job that may change the audit log takes out what is left of them (server/features/auditLog).
alter table app_user add column erase_asked_at timestamptz;
create index app_user_to_erase on app_user (id) where erase_asked_at is not null;
