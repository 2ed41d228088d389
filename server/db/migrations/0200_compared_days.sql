-- expand: several days are closed at once

-- The first of the days that were compared since `compared_from`; the last is the one before `closing_before`.
alter table closing_state add column compared_days_from date;
update closing_state set compared_days_from = closing_before - 1 where compared_from is not null;
