-- expand: which batch a component is of, when it was put in, and how panels age

alter table device_component
  add column batch text not null default '',
  add column installed_on date;

create table panel_life_model (
  component_model_id          smallint primary key,
  rated_hours                 integer not null,
  rated_celsius               smallint not null,
  level_exponent_hundredths   smallint not null,
  activation_millielectronvolts smallint not null
);
grant select, insert, delete on panel_life_model to wayside_app;
