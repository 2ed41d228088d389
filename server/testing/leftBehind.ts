import type pg from 'pg'
import type { CustomerId } from '#domain/ids.ts'
import { APPLICATION_ROLE } from '#server/db/connect/roleNames.ts'
import { isDistributed } from '#server/db/distribute/citusState.ts'

export interface LeftBehind {
  readonly auditRows: readonly { readonly address: string; readonly call: string; readonly outcome: string }[]
  /** What the application wrote to rows of the other customer, even if it restored them afterwards. */
  readonly foreignWrites: readonly object[]
}

/**
 * Makes the database record each row of the other customer that the application writes, changes or deletes: their
 * devices with everything that has a `device_id`, their users, and the customer. What a test writes as the owner does
 * not count.
 *
 * @returns a function that tells what requests left behind since its last call
 */
export async function watchWhatIsLeft(owner: pg.Pool, foreign: CustomerId): Promise<() => Promise<LeftBehind>> {
  await owner.query(`
    create table foreign_write (table_name text, operation text, old_row jsonb, new_row jsonb);
    create function is_foreign(kind text, id integer) returns boolean language sql as $$
      select case kind when 'customer' then id = ${foreign}
        else exists (select from device d where d.id = is_foreign.id and d.customer_id = ${foreign}) end $$;
    create function note_foreign_write() returns trigger language plpgsql security definer as $$
    begin
      if session_user = '${APPLICATION_ROLE}' and (is_foreign(tg_argv[0], (to_jsonb(old) ->> tg_argv[1])::integer)
          or is_foreign(tg_argv[0], (to_jsonb(new) ->> tg_argv[1])::integer)) then
        insert into foreign_write values (tg_table_name, tg_op, to_jsonb(old), to_jsonb(new));
      end if;
      return null;
    end $$`)
  const { rows: ofDevices } = await owner.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where a.attname = 'device_id' and c.relkind = 'r' and not c.relispartition`,
  )
  const watched = [
    ...ofDevices.map(({ name }) => [name, 'device', 'device_id']),
    ['device', 'customer', 'customer_id'],
    ['app_user', 'customer', 'customer_id'],
    ['customer', 'customer', 'id'],
  ]
  for (const [table = '', kind, column] of watched) {
    // What lies on workers takes no triggers.
    if (await isDistributed(owner, table)) continue
    await owner.query(
      `create trigger foreign_write after insert or update or delete on ${table}
       for each row execute function note_foreign_write('${kind}', '${column}')`,
    )
  }
  let lastId = 0
  return async () => {
    const { rows } = await owner.query<LeftBehind & { readonly lastId: number }>({
      name: 'left behind',
      text: LEFT_SQL,
      values: [lastId],
    })
    const [left] = rows
    if (!left) throw new Error('The database did not say what is left.')
    lastId = left.lastId
    return left
  }
}

const LEFT_SQL = `
  with noted as (delete from foreign_write returning *),
  audited as (select id, address, call, outcome from audit_log where id > $1)
  select coalesce((select max(id) from audited), $1)::int as "lastId",
    coalesce((select jsonb_agg(jsonb_build_object('address', address, 'call', call, 'outcome', outcome) order by id)
      from audited), '[]') as "auditRows",
    coalesce((select jsonb_agg(to_jsonb(noted)) from noted), '[]') as "foreignWrites"`
