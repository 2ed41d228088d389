-- The application may do what its calls need and nothing that would let it rewrite history.
grant usage on schema public to wayside_app;
grant select, insert, update, delete on all tables in schema public to wayside_app;
revoke all on audit_log from wayside_app;
grant select, insert on audit_log to wayside_app;
revoke insert, update, delete on country, installation from wayside_app;
revoke delete on app_user, customer, device from wayside_app;
grant usage on all sequences in schema public to wayside_app;
