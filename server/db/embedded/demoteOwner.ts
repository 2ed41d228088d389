import type pg from 'pg'
import { APPLICATION_ROLE } from '../connect/roleNames.ts'
import { transactionOn } from '../transaction.ts'
import { OWNER_RIGHTS, OWNER_ROLE, SUPERUSER_ROLE } from './cluster.ts'

/**
 * Takes the rights of a superuser from the owner of a cluster that an earlier version made. That version made the
 * cluster as its owner, so the maker gets another name, and a new role becomes the owner of everything.
 *
 * @param owner connected to the database of the product as the owner, who is still a superuser
 */
export async function demoteOwner(owner: pg.ClientBase, password: string): Promise<void> {
  await transactionOn(owner, async () => {
    // Nobody can rename the role of their own session.
    await owner.query('create role wayside_renaming superuser; set local session authorization wayside_renaming')
    await owner.query(`alter role ${OWNER_ROLE} rename to ${SUPERUSER_ROLE}`)
    await owner.query(`create role ${OWNER_ROLE} ${OWNER_RIGHTS} password '${password}'`)
    await owner.query('reset session authorization; drop role wayside_renaming')
    await owner.query(HAND_OVER)
    await owner.query(`alter role ${SUPERUSER_ROLE} nologin password null`)
  })
}

/** Hands over everything outside the catalogs; `reassign owned` refuses the role that made the cluster. */
const HAND_OVER = `do $$
declare each record;
begin
  execute format('alter database %I owner to ${OWNER_ROLE}', current_database());
  for each in select c.oid::regclass as name, c.relkind from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
        and d.deptype in ('a', 'i') and c.relkind = 'S')
  loop
    execute format('alter %s %s owner to ${OWNER_ROLE}', case each.relkind when 'v' then 'view'
      when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end, each.name);
  end loop;
  for each in select p.oid::regprocedure as name from pg_proc p where p.pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  loop
    execute format('alter routine %s owner to ${OWNER_ROLE}', each.name);
  end loop;
  for each in select t.oid::regtype as name from pg_type t left join pg_class c on c.oid = t.typrelid
    where t.typnamespace = 'public'::regnamespace and t.typtype in ('d', 'e', 'c') and coalesce(c.relkind, 'c') = 'c'
  loop
    execute format('alter type %s owner to ${OWNER_ROLE}', each.name);
  end loop;
  for each in select rolname as name from pg_roles where rolname = '${APPLICATION_ROLE}'
    or oid in (select member from pg_auth_members m join pg_roles r on r.oid = m.roleid
      where r.rolname = '${APPLICATION_ROLE}' and m.member <> 10)
  loop
    execute format('grant %I to ${OWNER_ROLE} with admin option', each.name);
  end loop;
end $$`
