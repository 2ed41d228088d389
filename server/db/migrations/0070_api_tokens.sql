-- expand: API tokens of people and machines

create table api_token (
  id                integer generated always as identity primary key,
  token_hash        bytea not null unique,
  -- Its first letters, by which people know it again.
  beginning         text not null,
  name              text not null check (length(name) between 1 and 60),
  -- As whom it acts: its maker, or a user without a password, which is a machine.
  user_id           integer not null references app_user,
  -- It never may do more than whoever made it may do at that moment.
  maker_id          integer not null references app_user,
  -- As the contract has them (contract/call/tokenScopes.ts).
  scopes            text[] not null,
  -- Of a token of staff: sees only this customer; null: whatever its user sees.
  customer_id       integer references customer,
  -- Whether it may make calls that ask for a fresh factor, which it cannot show itself.
  with_fresh_factor boolean not null default false,
  created_at        timestamptz not null default now(),
  expires_at        timestamptz not null,
  check (expires_at <= created_at + interval '366 days'),
  -- To ten minutes.
  last_used_at      timestamptz,
  revoked_at        timestamptz
);
create index api_token_user on api_token (user_id);
create index api_token_maker on api_token (maker_id);

grant select, insert, update, delete on api_token to wayside_app;
