-- expand: who is told of incidents: routes, messages, and why

-- Which incidents are told where (domain/notifying/routing.ts).
create table notify_route (
  id             integer generated always as identity primary key,
  -- Whose route; null: of staff.
  customer_id    integer references customer,
  name           text not null,
  is_on          boolean not null default true,
  -- As bad as this or worse.
  severity_id    smallint not null check (severity_id between 1 and 3),
  -- Of a route of staff: only what one customer has of incidents.
  of_customer_id integer references customer,
  tag            text not null default '',
  tag_key        text not null default '',
  -- {"weekdays", "from", "to", "timeZone"}; null: at every hour.
  hours          jsonb,
  -- [{"afterMinutes", "channelId"} or {"afterMinutes", "rotaId"}], in order.
  steps          jsonb not null,
  created_at     timestamptz not null default now(),
  created_by     integer references app_user,
  deleted_at     timestamptz
);
create index notify_route_of_customer on notify_route (customer_id);

-- Incidents that changed, or at which something is due: written with what changed them.
create table notify_due (
  incident_id bigint primary key,
  due_at      timestamptz not null
);
create index notify_due_at on notify_due (due_at);

-- What a route began for an incident, and how many of its steps are done.
create table incident_run (
  id          bigint generated always as identity primary key,
  incident_id bigint not null,
  -- Of which customer's share; 0: all of it.
  share_id    integer not null,
  route_id    integer not null references notify_route,
  began_at    timestamptz not null,
  steps_done  integer not null default 0
);
create index incident_run_of on incident_run (incident_id);

-- What a channel says of an incident: one message, told anew where the channel can.
create table incident_message (
  id          bigint generated always as identity primary key,
  incident_id bigint not null,
  share_id    integer not null,
  channel_id  integer not null references channel,
  -- By which the other side may know it.
  key         uuid not null default gen_random_uuid(),
  -- How often it has said something.
  revision    integer not null default 0,
  -- What it said last; null: nothing yet.
  told        jsonb,
  told_at     timestamptz,
  times_over  integer not null default 0,
  -- It was told by itself, not within a digest.
  has_own     boolean not null default false,
  -- What the other side calls it.
  foreign_id  text,
  -- When it has something to say; null: it says how things are.
  next_at     timestamptz,
  -- Since when it has.
  wanted_at   timestamptz not null,
  refusals    integer not null default 0,
  given_up_at timestamptz,
  failure     text not null default ''
);
create index incident_message_of on incident_message (incident_id);
create index incident_message_due on incident_message (channel_id, next_at) where next_at is not null;

-- Who was told, why, or why not.
create table incident_notice (
  id          bigint generated always as identity primary key,
  incident_id bigint not null,
  share_id    integer not null,
  route_id    integer not null,
  -- Whose route it was; null: of staff.
  route_customer_id integer,
  route_name  text not null,
  at          timestamptz not null,
  outcome     text not null check (outcome in ('told', 'waits', 'not')),
  target      text not null,
  -- Of a person, who is named by it.
  user_id     integer,
  reason      text not null
);
create index incident_notice_of on incident_notice (incident_id, id);

-- Who is on call in turn (domain/notifying/rota.ts).
create table rota (
  id          integer generated always as identity primary key,
  -- Whose rota; null: of staff.
  customer_id integer references customer,
  name        text not null,
  time_zone   text not null,
  first_day   date not null,
  -- HH:mm on the wall of the zone.
  hand_over   text not null,
  every_days  integer not null check (every_days between 1 and 28),
  -- [{"userId", "channelId"}], in their order; without a channel they are mailed.
  members     jsonb not null,
  created_at  timestamptz not null default now(),
  created_by  integer references app_user,
  deleted_at  timestamptz
);
create index rota_of_customer on rota (customer_id);

create table rota_override (
  id      integer generated always as identity primary key,
  rota_id integer not null references rota,
  user_id integer not null references app_user,
  from_at timestamptz not null,
  to_at   timestamptz not null,
  check (from_at <= to_at)
);
create index rota_override_of on rota_override (rota_id, to_at);

-- What acknowledges an incident for one person, by a link in a message to them. The token itself is kept nowhere.
create table acknowledge_link (
  token_hash  bytea primary key,
  incident_id bigint not null,
  user_id     integer not null references app_user,
  expires_at  timestamptz not null,
  used_at     timestamptz
);
create index acknowledge_link_end on acknowledge_link (expires_at);

grant select, insert, update, delete on rota, rota_override, acknowledge_link to wayside_app;
grant select, insert, update, delete on notify_route, notify_due, incident_run, incident_message, incident_notice
  to wayside_app;
