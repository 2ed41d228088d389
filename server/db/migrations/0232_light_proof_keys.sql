-- expand: the keys by which proofs of light are signed

create table light_proof_key (
  id           integer generated always as identity primary key,
  -- The beginning of the SHA-256 of the public key.
  key_id       text not null unique,
  -- PEM.
  public_key   text not null,
  -- Encrypted by the key of kept secrets; empty once it signs no more.
  private_key  text not null,
  signs_since  timestamptz not null default now(),
  signed_until timestamptz
);
-- One key signs at a time.
create unique index light_proof_key_present on light_proof_key ((true)) where signed_until is null;
grant select, insert on light_proof_key to wayside_app;
grant update (private_key, signed_until) on light_proof_key to wayside_app;
