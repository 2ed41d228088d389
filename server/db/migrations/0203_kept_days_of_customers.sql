-- expand: customers whose data is kept for a shorter time than everybody's

-- What is older goes: readings, messages, hourly means, minutes of light, closed alerts. Null means as for everybody.
alter table customer add column kept_days integer check (kept_days >= 90);
