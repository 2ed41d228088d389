-- expand: causes of darkness by day, what is agreed with customers, and statements as they were issued

-- Minutes by cause, as domain/darkness/causes orders them; null where nothing was dark, or before causes were counted.
alter table device_dark_day add column causes smallint[];
-- Unknown minutes in which the installation was away.
alter table device_dark_day add column away_min smallint;

create table statement_terms (
  customer_id       integer primary key references customer,
  -- Hundredths of a percent.
  target_hundredths integer not null check (target_hundredths between 0 and 10000),
  unknown_counts    text not null check (unknown_counts in ('leftOut', 'asDark')),
  currency          text check (currency ~ '^[A-Z]{3}$'),
  -- Of a device and month, in the smallest unit of the currency.
  fee_minor         integer not null check (fee_minor >= 0),
  steps             jsonb not null,
  check (currency is not null or steps = '[]')
);
grant select, insert, update, delete on statement_terms to wayside_app;

-- Never changed after it was issued: what is wrong is corrected by another one.
create table light_statement (
  id          integer generated always as identity primary key,
  customer_id integer not null references customer,
  number      integer not null,
  month       date not null check (extract(day from month) = 1),
  -- The devices that it is about, as they were chosen.
  subject     jsonb not null,
  corrects_id integer unique references light_statement,
  issued_at   timestamptz not null default now(),
  issued_by   integer not null references app_user,
  content     jsonb not null,
  -- What differs from the corrected one.
  changes     jsonb not null,
  -- The document, byte for byte.
  pdf         bytea not null,
  unique (customer_id, number)
);
create index light_statement_of_month on light_statement (customer_id, month);
grant select, insert on light_statement to wayside_app;
