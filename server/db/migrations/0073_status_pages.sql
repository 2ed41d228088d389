-- expand: a status page for each customer, who is mailed of it, and what they were told

-- What people outside may see of a customer's devices (server/features/statusPages).
create table status_page (
  customer_id        integer primary key references customer,
  mode               text not null check (mode in ('off', 'public', 'secret')),
  -- Its address while it is public.
  slug               text not null default '',
  -- Its address while it is secret, and what it is found by.
  secret             text,
  secret_hash        bytea unique,
  title              text not null,
  note               text not null default '',
  -- Which devices: those of a tag; empty: all.
  tag                text not null default '',
  tag_key            text not null default '',
  -- A device's place is the rest of its first tag that begins so; empty: there are no places.
  place_prefix       text not null default '',
  -- Incidents as bad as this or worse; null: none.
  severity_id        smallint check (severity_id between 1 and 3),
  shows_planned      boolean not null,
  takes_subscribers  boolean not null,
  -- What is told by mail is what began since.
  told_from          timestamptz not null default now(),
  -- In the names of entries of its feed, so that these say nothing of our numbers.
  feed_salt          uuid not null default gen_random_uuid(),
  updated_at         timestamptz not null default now(),
  updated_by         integer references app_user,
  check (mode <> 'secret' or secret_hash is not null)
);
create unique index status_page_slug on status_page (slug) where mode = 'public';

-- Who asked for mails of a page; confirmed by the link of the first one.
create table status_subscriber (
  id           integer generated always as identity primary key,
  customer_id  integer not null references status_page on delete cascade,
  email        text not null,
  -- In small letters.
  email_key    text not null,
  -- In the links of their mails; it opens nothing but this.
  token        text not null unique,
  asked_at     timestamptz not null,
  confirmed_at timestamptz,
  unique (customer_id, email_key)
);
create index status_subscriber_email on status_subscriber (email_key);
create index status_subscriber_unconfirmed on status_subscriber (asked_at) where confirmed_at is null;

-- What subscribers of a page are told, each once, in the words of then.
create table status_news (
  id          bigint generated always as identity primary key,
  customer_id integer not null references status_page on delete cascade,
  kind        text not null check (kind in ('opened', 'over', 'planned')),
  -- Of an incident, or of one time of a maintenance window.
  incident_id bigint,
  window_id   integer,
  from_at     timestamptz not null,
  to_at       timestamptz,
  title       text not null,
  told_at     timestamptz not null,
  check ((incident_id is null) <> (window_id is null))
);
create unique index status_news_of_incident on status_news (customer_id, incident_id, kind) where incident_id is not null;
create unique index status_news_of_window on status_news (customer_id, window_id, from_at) where window_id is not null;
create index status_news_end on status_news (told_at);

create table status_mail (
  id               bigint generated always as identity primary key,
  subscriber_id    integer not null references status_subscriber on delete cascade,
  -- Null: the link that confirms.
  news_id          bigint references status_news on delete cascade,
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
  unique (subscriber_id, news_id)
);
create index status_mail_waiting on status_mail (next_try_at) where sent_at is null and given_up_at is null;
create index status_mail_ended on status_mail ((coalesce(sent_at, given_up_at)));
create index status_mail_of_news on status_mail (news_id) where news_id is not null;

-- What of a customer is over since, for pages that show the last days.
create index incident_share_over on incident_share (customer_id, over_at);

grant select, insert, update, delete on status_page, status_subscriber, status_news, status_mail to wayside_app;
