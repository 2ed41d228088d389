import { AUDIT_ACTIONS, AUDIT_ENTITIES, type AuditAction, type AuditEntity } from '#contract/call/call.ts'

/** This replaces the name of an erased person. */
export const ERASED_NAME = 'Erased'

const entityId = (name: AuditEntity) => AUDIT_ENTITIES.find((entity) => entity.name === name)?.id
const actionId = (name: AuditAction) => AUDIT_ACTIONS.find((action) => action.name === name)?.id

/** An author who is no user is identified by the typed name, or by the address. */
const namedPerson = (name: string) => `'name ' || lower(${name})`
export const AUTHOR = `case when a.user_id is not null then 'user ' || a.user_id
  else ${namedPerson(`nullif(coalesce(nullif(a.username, ''), a.address), '')`)} end`
/** SQL: the person that a row is about. Rows about a session or a limit are about their author. */
export const SUBJECT = `case when a.entity_type_id = ${entityId('Session')} or a.action_id = ${actionId('Limit')} then ${AUTHOR}
  when a.entity_type_id <> ${entityId('User')} then null
  when a.entity_id is not null then 'user ' || a.entity_id
  else ${namedPerson(`nullif(a.entity_name, '')`)} end`

/** Moments are formatted explicitly, because PostgreSQL's default format depends on the connection's settings. */
const printed = (moment: string) => `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`
const hashed = (text: string) => `sha256(convert_to(${text}, 'UTF8'))`
/** A row whose salt is gone hashes to null, and so does not match what was sealed. */
const salted = (salt: string, person: string, text: string) =>
  `sha256(coalesce(${salt}, case when ${person} is null then ''::bytea end) || convert_to(${text}, 'UTF8'))`

const AUTHOR_DIGEST = salted('author_salt.salt', AUTHOR, 'row(a.id, a.username, a.address)::text')
const SUBJECT_DIGEST = salted(
  'subject_salt.salt',
  SUBJECT,
  'row(a.id, a.entity_name, a.details, a.before, a.after)::text',
)
const IS_AUTHOR_ERASED = `erased.author_digest is not null and a.username = '${ERASED_NAME}' and a.address = ''`
const IS_SUBJECT_ERASED = `erased.subject_digest is not null and a.entity_name = '${ERASED_NAME}' and a.details = ''
  and a.before is null and a.after is null`

/** Rows that were sealed before there were bulk ids must keep their digests, so a missing id adds nothing. */
const OF_BULK = `coalesce(' of ' || d.bulk_id, '')`

/**
 * SQL: rows of the audit log with their digests. The author and the person concerned enter as separate hashes with that
 * person's salt; for an erased person the stored digest is used (docs/decisions/0181).
 * @param where restricts the row `a`
 */
export const digestsSql = (where: string) => `
  select d.id, d.author, d.subject, d.author_digest, d.subject_digest, ${hashed(
    `row(d.id, ${printed('d.inserted_at')}, d.action_id, d.entity_type_id, d.entity_id, d.customer_id,
      d.arrived_customer_id, d.user_id, d.author_customer_id, d.call, d.outcome,
      encode(d.author_digest, 'hex'), encode(d.subject_digest, 'hex'))::text || ${OF_BULK}`,
  )} as digest
  from (
    select a.*, ${AUTHOR} as author, ${SUBJECT} as subject,
      case when ${IS_AUTHOR_ERASED} then erased.author_digest else ${AUTHOR_DIGEST} end as author_digest,
      case when ${IS_SUBJECT_ERASED} then erased.subject_digest else ${SUBJECT_DIGEST} end as subject_digest
    from audit_log a
    left join audit_erased erased on erased.audit_id = a.id
    left join audit_salt author_salt on author_salt.person = ${AUTHOR}
    left join audit_salt subject_salt on subject_salt.person = ${SUBJECT}
    where ${where}) d`

/**
 * SQL: the persons of rows.
 * @param where restricts the row `a`
 */
export const personsSql = (where: string) => `
  select person from audit_log a cross join lateral (values (${AUTHOR}), (${SUBJECT})) of_row (person)
  where person is not null and ${where}`

/**
 * SQL: the hash over a block's own fields and the digests of its rows.
 * @param digests bytea
 * @param before the head of the previous block
 */
export const headSql = (seal: string, digests: string, before: string) => `sha256(coalesce(${before}, ''::bytea) ||
  convert_to(row(${seal}.number, ${seal}.from_id, ${seal}.through_id, ${printed(`${seal}.sealed_at`)}, ${seal}.row_ids)::text,
    'UTF8') || ${digests})`
