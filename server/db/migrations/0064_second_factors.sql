-- expand: second factors: authenticator apps, recovery codes, and when a session was proved last

-- What somebody proves beside their password who they are with.
create table user_factor (
  id           integer generated always as identity primary key,
  user_id      integer not null references app_user,
  kind         text not null,
  name         text not null,
  -- Of an authenticator app, as it is: to judge a code the server has to know it.
  secret       bytea,
  -- The period of 30 s whose code was accepted last: none is accepted twice.
  last_step    integer,
  created_at   timestamptz not null default now(),
  last_used_at timestamptz
);
create index user_factor_of on user_factor (user_id);

-- SHA-256 of each: a copy of this table opens nothing.
create table recovery_code (
  user_id   integer not null references app_user,
  code_hash bytea not null,
  used_at   timestamptz,
  primary key (user_id, code_hash)
);

-- What was begun and is not proved yet. Known by the SHA-256 of its token, for one user, one use and a few minutes.
create table factor_challenge (
  token_hash     bytea primary key,
  user_id        integer references app_user,
  purpose        text not null,
  -- Where it began within a session, it ends there.
  session_hash   bytea,
  -- Of the password that was right: another one ends it.
  password_stamp text not null default '',
  -- The known browser from which it began.
  browser        text,
  -- Of the authenticator app that is being added.
  secret         bytea,
  expires_at     timestamptz not null
);
create index factor_challenge_over on factor_challenge (expires_at);

-- When its owner proved last who they are: by signing in, or for a change that asks for it. Null: before this was kept.
alter table app_session add column proved_at timestamptz;
alter table app_session alter column proved_at set default now();

grant select, insert, update, delete on user_factor, recovery_code, factor_challenge to wayside_app;
