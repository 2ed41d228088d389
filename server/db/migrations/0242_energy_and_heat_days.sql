-- expand: energy and heat by day, and the figures by which energy is told

-- What one display did on a local day; counted with the minutes of light (device_dark_day) and kept as long.
create table display_day (
  device_id          integer not null,
  day                date not null,
  number             smallint not null,
  component_model_id smallint not null,
  -- Seconds known, seconds lit, and percent times seconds, for each rule as domain/energy/displayDay orders them.
  light              integer[] not null,
  -- The same three of the time in which no meter counted.
  unmetered          integer[] not null,
  unknown_s          integer not null,
  -- Minutes of light, as domain/panels/heatBands orders them.
  heat               smallint[] not null,
  primary key (device_id, day, number)
);
grant select on display_day to wayside_app;

-- What the meters of the device counted, and for how long; null where the day was not counted for energy.
alter table device_dark_day
  add column metered_wh integer,
  add column metered_s integer,
  -- Which the client was while the day ran.
  add column client_version text;
create index device_dark_day_without_energy on device_dark_day (day desc, device_id) where metered_s is null;

-- What a kWh costs from a day on; of every customer that has no price of its own where there is no customer.
create table energy_tariff (
  customer_id          integer references customer,
  valid_from           date not null,
  currency             text not null,
  -- Thousandths of the smallest unit of the currency.
  per_kwh_thousandths  integer not null,
  unique nulls not distinct (customer_id, valid_from)
);
grant select, insert, delete on energy_tariff to wayside_app;

create table panel_power (
  component_model_id smallint primary key,
  full_watts         integer not null,
  minimum_watts      integer not null,
  dark_watts         integer not null
);
grant select, insert, delete on panel_power to wayside_app;

create table grid_factor (
  country_id    integer not null references country,
  year          smallint not null,
  grams_per_kwh integer not null,
  source        text not null,
  primary key (country_id, year)
);
grant select, insert, delete on grid_factor to wayside_app;
