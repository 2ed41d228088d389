-- expand: people who sign in by an identity provider

-- Set up by staff (domain/singleSignOn).
create table sign_in_provider (
  id            integer generated always as identity primary key,
  name          text not null,
  -- As its discovery document names itself.
  issuer        text not null,
  client_id     text not null,
  -- Read by what signs people in alone: in no answer, audit row or log.
  client_secret text not null,
  -- Whose users come by it; null: staff.
  customer_id   integer references customer,
  -- Of mail addresses, in lower case.
  domains       text[] not null,
  role_claim    text not null,
  -- [{"value", "roleId"}]: the first that a person has.
  role_rules    jsonb not null,
  -- A mail address that it does not call verified counts as verified; one that it calls unverified never does.
  trusts_mail   boolean not null,
  -- Whoever has an address of its domains signs in by it alone.
  is_required   boolean not null,
  is_on         boolean not null,
  created_at    timestamptz not null default now(),
  created_by    integer references app_user,
  deleted_at    timestamptz
);
create index sign_in_provider_customer on sign_in_provider (customer_id);

-- Who somebody is for the provider that brought them.
create table sign_in_identity (
  user_id     integer primary key references app_user,
  provider_id integer not null references sign_in_provider,
  subject     text not null,
  unique (provider_id, subject)
);

grant select, insert, update on sign_in_provider to wayside_app;
grant select, insert, delete on sign_in_identity to wayside_app;
