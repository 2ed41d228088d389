-- expand: devices are ordered by name as people read it, 2 before 10 and Ä beside A

-- Without the rules of ICU, which change with its versions, and with them what an index means (decision 0257): letters without
-- their accents, and numbers with zeros before them up to twenty digits.
create function name_order(name text) returns text language sql immutable strict parallel safe return
  regexp_replace(
    regexp_replace(
      translate(regexp_replace(normalize(lower(name), NFD), '[\u0300-\u036f]', '', 'g'), 'øłđßæœı', 'oldsaoi'),
      '(\d+)', '00000000000000000000\1', 'g'),
    '0*(\d{20})(?!\d)', '\1', 'g');

alter table device add column name_order text generated always as (name_order(name)) stored;
create index device_by_name_order on device (name_order, id) where deleted_at is null;
create index device_by_customer_name_order on device (customer_id, name_order, id) where deleted_at is null;
