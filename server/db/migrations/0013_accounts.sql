-- IANA name of the zone in which the user sees times; empty: that of the browser.
alter table app_user add column time_zone text not null default '';

-- A number by which its owner ends a session without knowing its token.
alter table app_session add column id integer generated always as identity unique;
-- How its owner was known when it began.
alter table app_session add column proved_by text not null default 'password';

-- Mails that carry a link to set a password. Who they are for and whether they may go is asked again before each try.
create table password_mail (
  id               integer generated always as identity primary key,
  user_id          integer not null references app_user,
  kind             text not null check (kind in ('activation', 'reset')),
  -- As it was when the mail was asked for: the links of a user who is renamed end.
  username         text not null,
  -- Null: somebody who gave the username on the page of forgotten passwords.
  asked_by         integer,
  message_id       text not null unique,
  queued_at        timestamptz not null default now(),
  next_try_at      timestamptz not null default now(),
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
create index password_mail_waiting on password_mail (next_try_at) where sent_at is null and given_up_at is null;
create index password_mail_user on password_mail (user_id, queued_at);
create index password_mail_asker on password_mail (asked_by, queued_at) where asked_by is not null;

-- SHA-256 of the token: a copy of this table opens nothing. A mail that may have arrived before it is sent again has two.
create table password_link (
  token_hash bytea primary key,
  mail_id    integer not null references password_mail on delete cascade,
  expires_at timestamptz not null
);
create index password_link_mail on password_link (mail_id);

-- Usernames given on the page of forgotten passwords, not yet looked up: so the answer cannot tell whether there is one.
create table password_reset_request (
  username text primary key,
  asked_at timestamptz not null default now()
);

-- A new mail, or a new password, ends every link and waiting mail of before.
create function end_password_links(of_user integer) returns void language sql as $$
  delete from password_link l using password_mail m where m.id = l.mail_id and m.user_id = of_user;
  update password_mail set given_up_at = now(), claimed_at = null, failure = 'Another came after it.'
  where user_id = of_user and sent_at is null and given_up_at is null;
$$;

grant select, insert, update, delete on password_mail, password_link, password_reset_request to wayside_app;

-- The audit log as it is read: newest first, by whatever narrows it.
drop index audit_log_customer;
drop index audit_log_user;
create index audit_log_newest on audit_log (inserted_at desc, id desc);
create index audit_log_scope on audit_log ((coalesce(customer_id, author_customer_id)), inserted_at desc, id desc);
create index audit_log_user on audit_log (user_id, inserted_at desc, id desc);
create index audit_log_action on audit_log (action_id, inserted_at desc, id desc);
create index audit_log_entity_type on audit_log (entity_type_id, inserted_at desc, id desc);
create index audit_log_entity on audit_log (entity_id, inserted_at desc, id desc) where entity_id is not null;
