-- expand: what waits for a job of the leading process is told to it, and a job that hears nothing looks seldom

-- The argument of the trigger is the name of the job (server/jobs/JobBells.ts). Equal notices of a transaction are one.
create function wake_job() returns trigger language plpgsql as $$
begin
  perform pg_notify('wayside_jobs', tg_argv[0]);
  return null;
end $$;

-- Only where rows are rare and not of devices, whose tables have no triggers (decision 143): transactions that tell
-- something commit one after the other. Notices of alerts are told of by the process that stored them.
create trigger wake_mails after insert on password_reset_request
  for each statement execute function wake_job('mails');
create trigger wake_mails after insert on password_mail
  for each statement execute function wake_job('mails');
create trigger wake_client_rollouts after insert or update of state on client_rollout
  for each statement execute function wake_job('client rollouts');
