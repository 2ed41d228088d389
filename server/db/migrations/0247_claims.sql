-- expand: devices that ask to be claimed, and keys of disk images by which they wait to be accepted

create table claim_key (
  id           integer generated always as identity primary key,
  name         text not null,
  -- SHA-256 of the key.
  key_hash     bytea not null unique,
  beginning    text not null,
  -- Whose admins accept its devices; null for staff.
  customer_id  integer references customer,
  most_devices integer not null check (most_devices > 0),
  used_by      integer not null default 0,
  expires_at   timestamptz not null,
  ended_at     timestamptz,
  created_at   timestamptz not null default now()
);
grant select, insert, update on claim_key to wayside_app;

create table device_claim (
  id           integer generated always as identity primary key,
  -- SHA-256 of the key that the device has made.
  key_hash     bytea not null unique,
  -- What its display shows; kept when it was used, so that staff can be told whose the device is. Null with a claim key.
  code         text unique,
  code_until   timestamptz,
  wrong_tries  integer not null default 0,
  claim_key_id integer references claim_key,
  facts        jsonb not null,
  -- Serial numbers and addresses of network cards, by which the same hardware is found again.
  hardware     text[] not null,
  address      text not null,
  asked_at     timestamptz not null default now(),
  seen_at      timestamptz not null default now(),
  refused_at   timestamptz,
  -- What it became.
  claimed_id   integer
);
create index device_claim_of_device on device_claim (claimed_id);
create index device_claim_of_hardware on device_claim using gin (hardware);
create index device_claim_of_half on device_claim (left(code, 4)) where claimed_id is null;
create index device_claim_seen on device_claim (seen_at);
grant select, insert, update, delete on device_claim to wayside_app;
