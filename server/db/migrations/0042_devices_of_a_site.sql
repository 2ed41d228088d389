-- expand: devices of one customer at one address are found without reading all of the customer's

-- By a number for the address in plain letters, which itself may be too long for an index.
create index device_by_site on device (customer_id, hashtextextended(place_text, 0)) where deleted_at is null;
