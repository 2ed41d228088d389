-- expand: each identity provider sends people back to an address of its own, so that no other can have an answer of it taken for its own

-- The last part of that address. Providers that were there before have their number in it: it can be registered there before the upgrade.
alter table sign_in_provider add column redirect_id text not null default gen_random_uuid()::text;
update sign_in_provider set redirect_id = id::text;
