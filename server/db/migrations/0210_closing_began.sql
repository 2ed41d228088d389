-- expand: when the days that are being closed began to be

-- Rows on several machines have no common transaction numbers, so there `compared_from` says nothing.
alter table closing_state add column compared_at timestamptz;
