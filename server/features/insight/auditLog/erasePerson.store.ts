import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { CustomerId } from '#domain/ids.ts'
import { lockUntilCommit } from '#server/db/advisoryLocks.ts'
import type { Db } from '#server/db/database.ts'
import { transactionOn } from '#server/db/transaction.ts'
import type { Audit, Tx } from '#server/http/call/audit.store.ts'
import { AUTHOR, digestsSql, ERASED_NAME, SUBJECT } from './auditDigests.store.ts'

export interface ErasedPerson {
  readonly userId: number
  readonly entries: number
}

/** SQL: rows by or about these persons, who are `$1`. */
const IS_THEIRS = `(${AUTHOR} = any($1::text[]) or ${SUBJECT} = any($1::text[]))`

/** Keeps the digests of these persons' sealed rows as they were sealed. */
const KEEP_DIGESTS = `
  insert into audit_erased (audit_id, author_digest, subject_digest)
  select id, case when author = any($1::text[]) then author_digest end,
    case when subject = any($1::text[]) then subject_digest end
  from (${digestsSql(IS_THEIRS)}) theirs where id <= (select coalesce(max(through_id), 0) from audit_seal)
  on conflict (audit_id) do update set author_digest = coalesce(audit_erased.author_digest, excluded.author_digest),
    subject_digest = coalesce(audit_erased.subject_digest, excluded.subject_digest)`

const whereTheirs = (person: string, blank: string, column: string) =>
  `${column} = case when ${person} = any($1::text[]) then ${blank} else a.${column} end`

const BLANK = `update audit_log a set
  ${whereTheirs(AUTHOR, `'${ERASED_NAME}'`, 'username')}, ${whereTheirs(AUTHOR, `''`, 'address')},
  ${whereTheirs(SUBJECT, `'${ERASED_NAME}'`, 'entity_name')}, ${whereTheirs(SUBJECT, `''`, 'details')},
  ${whereTheirs(SUBJECT, 'null', 'before')}, ${whereTheirs(SUBJECT, 'null', 'after')}
  where ${IS_THEIRS} returning a.id`

/** Other tables hold the user's id and the name beside it. */
const NAMED_ELSEWHERE = [
  ['device_command', 'user_id', 'username'],
  ['alert_event', 'user_id', 'username'],
  ['incident_deed', 'user_id', 'username'],
  ['incident_notice', 'user_id', 'target'],
  ['channel', 'user_id', 'name'],
  ['maintenance_entry', 'created_by', 'username'],
  ['maintenance_window', 'created_by', 'username'],
  ['device_setting', 'desired_by_id', 'desired_by'],
  ['client_rollout', 'created_by', 'created_by_name'],
] as const

/**
 * Erases a deleted user: the name, addresses and everything recorded about them from the audit log, the record of users
 * and other tables. The digests of sealed rows are kept and the person's salt is deleted: the log stays verifiable, and
 * nobody can test whether a name belonged to it. Texts that people wrote are not searched. The erasure has an audit row
 * of its own.
 * @param db as the owner of the tables, because the application may not change the log
 * @throws Error of one sentence when there is no such user, or one that is not deleted
 */
export function erasePerson(db: Db, audit: Audit, username: string): Promise<ErasedPerson> {
  return db.transaction().execute(async (transaction) => {
    const run = async <Row>(statement: string, ...values: readonly unknown[]) =>
      (await transaction.executeQuery(CompiledQuery.raw(statement, [...values]))).rows as readonly Row[]
    await run(`select ${lockUntilCommit('auditSeals')}`)
    const { id: userId, customerId } = await deletedUser(run, username)
    const entries = await blank(run, userId, username)
    await writeRow(audit, transaction, { userId, customerId })
    return { userId, entries }
  })
}

/**
 * Erases the next person for whom administrators have asked (`AppUser/ErasePersonalData`); the call has written the
 * audit row.
 * @param owner of the tables
 * @returns undefined when there is nobody
 */
export async function eraseRequested(owner: pg.Client): Promise<ErasedPerson | undefined> {
  const run = async <Row>(statement: string, ...values: readonly unknown[]) =>
    (await owner.query(statement, [...values])).rows as readonly Row[]
  const asked = await run('select from app_user where erase_asked_at is not null limit 1')
  if (asked.length === 0) return undefined
  return transactionOn(owner, async () => {
    await run(`select ${lockUntilCommit('auditSeals')}`)
    const [user] = await run<{ readonly id: number; readonly username: string }>(
      'select id, username from app_user where erase_asked_at is not null and deleted_at is not null order by id limit 1',
    )
    return user && { userId: user.id, entries: await blank(run, user.id, user.username) }
  })
}

/** @returns the number of audit entries that named them */
async function blank(run: Run, userId: number, username: string): Promise<number> {
  const persons = [`user ${userId}`, `name ${username.toLowerCase()}`]
  await run(KEEP_DIGESTS, persons)
  const entries = await run(BLANK, persons)
  await run('delete from audit_salt where person = any($1::text[])', persons)
  for (const [table, id, name] of NAMED_ELSEWHERE) {
    await run(`update ${table} set ${name} = $2 where ${id} = $1`, userId, ERASED_NAME)
  }
  await run('delete from password_mail where user_id = $1', userId)
  await run('delete from sign_in_mail where user_id = $1', userId)
  await run('delete from password_reset_request where lower(username) = lower($1)', username)
  await run('delete from acknowledge_link where user_id = $1', userId)
  await run('delete from api_token where user_id = $1 or maker_id = $1', userId)
  await run('delete from sign_in_identity where user_id = $1', userId)
  await run('delete from user_factor where user_id = $1', userId)
  await run('delete from recovery_code where user_id = $1', userId)
  await run('delete from factor_challenge where user_id = $1', userId)
  await run(
    `delete from held_refusal where audit_row ->> 'user_id' = $1::text or audit_row ->> 'entity_name' = $2`,
    userId,
    username,
  )
  await run('delete from app_session where user_id = $1', userId)
  await run('delete from user_visit where user_id = $1', userId)
  await run(
    `update app_user set username = $2, first_name = '', last_name = '', email = '', password_hash = null,
       erase_asked_at = null where id = $1`,
    userId,
    `erased-${userId}`,
  )
  return entries.length
}

type Run = <Row>(statement: string, ...values: readonly unknown[]) => Promise<readonly Row[]>

interface FoundUser {
  readonly id: number
  readonly customerId: CustomerId | null
  readonly isDeleted: boolean
}

async function deletedUser(run: Run, username: string): Promise<FoundUser> {
  const found = await run<FoundUser>(
    `select id, customer_id as "customerId", deleted_at is not null as "isDeleted" from app_user
     where lower(username) = lower($1) order by deleted_at desc nulls first limit 1`,
    username,
  )
  const [user] = found
  if (!user) throw new Error(`There is no user ${username}.`)
  if (!user.isDeleted) throw new Error(`${username} is not deleted: delete the user in the console first.`)
  return user
}

const writeRow = (
  audit: Audit,
  transaction: Tx,
  { userId, customerId }: { readonly userId: number; readonly customerId: CustomerId | null },
) =>
  audit.write(
    {
      change: { action: 'Delete', entity: 'User' },
      call: 'admin erase-person',
      outcome: 'done',
      author: { username: 'Command line', address: '' },
      thing: { id: userId, name: ERASED_NAME, customerId, details: 'Names and addresses of this person were erased.' },
    },
    transaction,
  )
