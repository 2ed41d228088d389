-- expand: by which key a device was created, so that whoever asks again because an answer was lost gets the same one

alter table device add column creation_key uuid;
