-- expand: an alert keeps the kind of the condition that opened it

-- What it asked then (domain/alerts/conditionKinds.ts): the condition may be edited afterwards.
alter table alert add column kind text not null default 'level';
