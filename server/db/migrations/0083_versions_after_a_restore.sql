-- expand: versions of settings rise when the database goes on from a backup

-- From which line of the database's history devices are told their settings (server/gateway/commands/settingsHistory.ts);
-- null: none was told yet. What was told before this was kept may be newer than what stands here.
create table settings_history (
  id   smallint primary key default 1 check (id = 1),
  line text
);
insert into settings_history (line) select case when exists (select from device_settings) then 'not kept' end;
grant select, update on settings_history to wayside_app;
