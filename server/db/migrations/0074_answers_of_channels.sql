-- expand: other systems answer back that somebody has an incident

alter table channel
  -- Where they do, and by what their signature is checked: for what checks it alone; null: nothing is heard.
  add column inbound_guid   uuid unique,
  add column inbound_secret text,
  -- When something was heard last, and what became of it.
  add column inbound_at     timestamptz,
  add column inbound_text   text not null default '';

-- Who acknowledged it, where it was nobody of ours.
alter table incident add column acknowledged_channel_id integer references channel;
alter table incident_deed add column channel_id integer references channel;

-- What was heard, so that it is done once.
create table channel_inbound (
  channel_id integer not null references channel,
  event_id   text not null,
  at         timestamptz not null,
  primary key (channel_id, event_id)
);
-- By what the other side calls it.
create index incident_message_key on incident_message (key);
create index incident_message_foreign on incident_message (channel_id, foreign_id) where foreign_id is not null;

create index channel_inbound_at on channel_inbound (at);

grant select, insert, update, delete on channel_inbound to wayside_app;
