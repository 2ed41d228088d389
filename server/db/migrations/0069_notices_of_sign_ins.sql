-- expand: notices of sign-ins from a browser that was not known

-- Its browser had no cookie of an earlier sign-in of this user.
alter table app_session add column is_unknown_browser boolean not null default false;
-- When it was looked at whether its owner is to be told.
alter table app_session add column looked_at timestamptz;
create index app_session_to_look_at on app_session (created_at) where is_unknown_browser and looked_at is null;

create table sign_in_mail (
  id               bigint generated always as identity primary key,
  user_id          integer not null references app_user,
  -- Of the session, as it began.
  user_agent       text not null,
  address          text not null,
  began_at         timestamptz not null,
  message_id       uuid not null unique default gen_random_uuid(),
  queued_at        timestamptz not null,
  next_try_at      timestamptz not null,
  tries            integer not null default 0,
  refusals         integer not null default 0,
  claimed_at       timestamptz,
  may_have_arrived boolean not null default false,
  waits_for_server boolean not null default false,
  failure          text not null default '',
  sent_at          timestamptz,
  outbox_file      text,
  given_up_at      timestamptz
);
create index sign_in_mail_waiting on sign_in_mail (next_try_at) where sent_at is null and given_up_at is null;
create index sign_in_mail_ended on sign_in_mail ((coalesce(sent_at, given_up_at)));
create index sign_in_mail_of on sign_in_mail (user_id);

grant select, insert, update, delete on sign_in_mail to wayside_app;
