-- expand: sessions that are bound to a cookie of their browser

-- SHA-256 of the half that the browser keeps where no script reads it; null: the token alone is the session.
alter table app_session add column binding_hash bytea;
-- Whoever has the role has bound sessions only.
alter table app_role add column requires_bound_session boolean not null default false;
