-- expand: rows of the audit log that one bulk action has left are known as such

-- Worked out of what the caller names it by, so that only rows of one user and one call share it (docs/decisions/0182).
alter table audit_log add column bulk_id uuid;
create index audit_log_bulk on audit_log (bulk_id, inserted_at desc, id desc) where bulk_id is not null;
