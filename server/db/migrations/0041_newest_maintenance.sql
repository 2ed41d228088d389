-- expand: the newest maintenance of a customer is found without reading all of it

create index maintenance_entry_of_customer on maintenance_entry (customer_id, start_at desc, id desc);
