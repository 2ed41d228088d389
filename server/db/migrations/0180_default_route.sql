-- expand: the route of alert e-mails is the default, which always stands in the list of routes

alter table notify_route add column is_default boolean not null default false;

-- The route that came with the product was made by nobody. Where it was deleted it comes back switched off, so that
-- nobody is notified who was not before.
update notify_route set is_default = true, is_on = is_on and deleted_at is null, deleted_at = null
where id = (select min(id) from notify_route where created_by is null and customer_id is null);
