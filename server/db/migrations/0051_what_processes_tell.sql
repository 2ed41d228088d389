-- expand: each process tells of itself, for the page of the system

-- Null of the version before this one.
alter table server_process add column told jsonb, add column told_at timestamptz;
