-- expand: a rule set says which one it replaces

-- Of two changes that were made at once only one stands.
alter table light_rule_set add column replaces integer unique references light_rule_set on delete set null;
