-- expand: a new installation begins with conditions for all devices; one that is upgraded is offered them once

create table default_conditions (
  is_only boolean primary key default true check (is_only),
  -- added: with the first start; offered: to a staff admin, who has not answered yet; answered: some or none were taken.
  state   text not null check (state in ('added', 'offered', 'answered'))
);
grant select, insert, update on default_conditions to wayside_app;
