-- expand: what an assistant has to confirm before it is done

-- One change that was told its consequence: by whom, which one, and with what exactly.
create table assistant_confirmation (
  id_hash    bytea primary key,
  token_id   integer not null references api_token on delete cascade,
  -- SHA-256 of the tool and its arguments.
  asked      bytea not null,
  expires_at timestamptz not null
);
create index assistant_confirmation_end on assistant_confirmation (expires_at);

grant select, insert, delete on assistant_confirmation to wayside_app;
