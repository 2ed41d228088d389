-- expand: channels: ways to tell somebody outside

-- What people set up (domain/notifying/channelKinds.ts), and how its server took what was told last.
create table channel (
  id            integer generated always as identity primary key,
  -- Whose incidents it tells; null: of every customer.
  customer_id   integer references customer,
  -- Of one person, who is mailed while on call: nobody sets it up.
  user_id       integer unique references app_user,
  name          text not null,
  kind          text not null check (kind in ('mail', 'webhook', 'slack', 'teams', 'telegram', 'ntfy', 'pagerduty',
    'opsgenie', 'jira', 'servicenow')),
  settings      jsonb not null,
  -- Read by what sends alone: in no answer, audit row or log.
  secret        text not null default '',
  -- By which a webhook signs, the newest first: [{"key": "whsec_…", "until": null}].
  signing       jsonb not null default '[]',
  most_per_hour integer not null check (most_per_hour between 1 and 600),
  -- {"from", "to", "timeZone", "tellsCritical"}; null: it tells at every hour.
  quiet         jsonb,
  is_on         boolean not null default true,
  created_at    timestamptz not null default now(),
  created_by    integer references app_user,
  deleted_at    timestamptz,
  -- Left alone until then, after so many failures in a row.
  rests_until   timestamptz,
  failures      integer not null default 0,
  failure       text not null default '',
  -- Something is on its way: one at a time. Counted, so that who was too slow changes nothing.
  claimed_at    timestamptz,
  claim         integer not null default 0
);
create index channel_of_customer on channel (customer_id);

-- Each time that something was told, or tried.
create table channel_delivery (
  id          bigint generated always as identity primary key,
  channel_id  integer not null references channel,
  kind        text not null check (kind in ('message', 'digest', 'test')),
  -- Null: of several, or of none.
  incident_id bigint,
  -- Of how many it told.
  told_count  integer not null default 1,
  at          timestamptz not null,
  -- Null: it is on its way, or whoever sent it died.
  outcome     text check (outcome in ('done', 'later', 'refused', 'gone')),
  -- Null: nobody answered.
  status      integer,
  took_ms     integer,
  -- The first kilobyte of it.
  answer      text not null default '',
  reason      text not null default ''
);
create index channel_delivery_of on channel_delivery (channel_id, id desc);
create index channel_delivery_at on channel_delivery (at);

grant select, insert, update, delete on channel, channel_delivery to wayside_app;
