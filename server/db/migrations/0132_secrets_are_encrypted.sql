-- expand: which keys encrypt kept secrets, and of an encrypted address of a webhook its host

-- The keys themselves are in no database (docs/decisions/0267).
create table secret_key (
  -- The beginning of its SHA-256.
  id            text primary key,
  registered_at timestamptz not null default now()
);
grant select, insert, delete, update on secret_key to wayside_app;

-- Of a channel whose secret is an address what may be shown of it.
alter table channel add column secret_host text not null default '';
update channel set secret_host = coalesce(substring(secret from '^https?://([^/?#]+)'), '') where kind in ('webhook', 'teams');
