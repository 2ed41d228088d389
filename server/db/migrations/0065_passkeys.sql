-- expand: passkeys among second factors

create table user_passkey (
  factor_id     integer primary key references user_factor on delete cascade,
  -- As its authenticator knows it.
  credential_id text not null unique,
  -- In COSE.
  public_key    bytea not null,
  -- How often it was used, as it counts itself; 0 where it does not.
  use_count     bigint not null,
  -- Ways to reach it, for browsers: usb, internal, hybrid …
  transports    text[] not null
);

grant select, insert, update, delete on user_passkey to wayside_app;
