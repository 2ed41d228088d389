-- expand: an address that somebody typed confirms before it is mailed, and what asks it to is counted for all customers together

-- When the address of a mail channel confirmed that it wants mails; null: not yet, and it is told nothing.
alter table channel add column recipient_confirmed_at timestamptz;
-- Channels that told people until now go on: whoever relies on one would otherwise miss incidents after an upgrade.
update channel set recipient_confirmed_at = now() where kind = 'mail';

-- Links by which such an address confirms.
create table recipient_mail (
  id               bigint generated always as identity primary key,
  channel_id       integer not null references channel,
  -- As the channel was set to when it was asked.
  email            text not null,
  -- In the link; it opens nothing but this.
  token            text not null unique,
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
create index recipient_mail_of_channel on recipient_mail (channel_id, queued_at);
create index recipient_mail_waiting on recipient_mail (next_try_at) where sent_at is null and given_up_at is null;
create index recipient_mail_ended on recipient_mail ((coalesce(sent_at, given_up_at)));

-- How many mails that ask to confirm an address was sent since the first one of its day.
create table confirmation_mail (
  -- SHA-256, in small letters.
  address_hash bytea primary key,
  began_at     timestamptz not null,
  count        integer not null
);
create index confirmation_mail_end on confirmation_mail (began_at);

-- Of one domain of mails, who was asked and has not answered.
create index status_subscriber_domain on status_subscriber (split_part(email_key, '@', 2), asked_at) where confirmed_at is null;

grant select, insert, update on recipient_mail, confirmation_mail to wayside_app;
