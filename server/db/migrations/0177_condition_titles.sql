-- expand: a condition may have a title of its own; without one its title is made from its field and limit

alter table alert_condition add column title text;
