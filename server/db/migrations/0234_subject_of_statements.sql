-- expand: what a light statement is about, in words, beside its content, which a list need not read

alter table light_statement add column subject_text text;
update light_statement set subject_text = content ->> 'subject';
