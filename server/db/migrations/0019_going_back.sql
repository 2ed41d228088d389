-- Made with the release key on purpose: devices may go back to this release although they have never run it.
alter table client_release add column back_signature text;
