-- expand: users and addresses are ordered as names of devices are, 2 before 10 and Ä beside A

-- Lists are paged by these orders (decision 0301); the indexes by lower case stay for the version before.
create index app_user_by_name_order on app_user (name_order(username), id) where deleted_at is null;
create index app_user_by_customer_name_order on app_user (customer_id, name_order(username), id) where deleted_at is null;
create index device_by_address_order on device (name_order(address), name_order, id) where deleted_at is null;
