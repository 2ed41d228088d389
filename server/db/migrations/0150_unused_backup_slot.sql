-- expand: since when the database holds its log for backups that nobody takes, so that it is held for some days and not for ever

create table unused_backup_slot (
  slot_name text primary key,
  unused_since timestamptz not null
);
grant select on unused_backup_slot to wayside_app;
