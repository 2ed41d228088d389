-- expand: light statements that are issued and mailed every month

-- Which devices of a customer, and from which day of the month on the statement of the month before is due.
create table statement_mailing (
  id          integer generated always as identity primary key,
  customer_id integer not null references customer,
  -- The devices as they were chosen, as in light_statement.
  subject     jsonb not null,
  day         smallint not null check (day between 1 and 28),
  -- Statements are issued in their name.
  set_by      integer not null references app_user,
  set_at      timestamptz not null default now(),
  unique (customer_id, subject)
);

-- Addresses get nothing but one link until they have confirmed.
create table statement_recipient (
  id           integer generated always as identity primary key,
  mailing_id   integer not null references statement_mailing on delete cascade,
  email        text not null,
  email_key    text not null,
  -- In the links of their mails; it opens nothing but this.
  token        text not null unique,
  asked_at     timestamptz not null,
  confirmed_at timestamptz,
  unique (mailing_id, email_key)
);

create table statement_mail (
  id               bigint generated always as identity primary key,
  recipient_id     integer not null references statement_recipient on delete cascade,
  -- Null: the link that confirms.
  statement_id     integer references light_statement,
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
  given_up_at      timestamptz,
  unique (recipient_id, statement_id)
);
create index statement_mail_waiting on statement_mail (next_try_at) where sent_at is null and given_up_at is null;
create index statement_mail_ended on statement_mail ((coalesce(sent_at, given_up_at)));

grant select, insert, update, delete on statement_mailing, statement_recipient, statement_mail to wayside_app;
