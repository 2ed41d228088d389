import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { CustomerId, UserId } from '#domain/ids.ts'
import type { PageMode } from '#domain/statusPages/pageRules.ts'
import type { Db } from '#server/db/database.ts'
import { statementsOf } from '#server/db/statements.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { customerOf, isWithin } from '#server/http/call/scopeSql.ts'
import { secretHash } from '#server/secrets/secretHash.ts'

export interface WrittenPage {
  readonly mode: PageMode
  readonly slug: string
  readonly title: string
  readonly note: string
  readonly tag: string
  readonly placePrefix: string
  readonly severityId: number | null
  readonly showsPlanned: boolean
  readonly takesSubscribers: boolean
}

export interface PageRow extends WrittenPage {
  readonly customerId: CustomerId
  readonly customerName: string
  readonly tagKey: string
  /** Null when the page never was secret. */
  readonly secret: string | null
}

export interface ListedPage extends PageRow {
  readonly deviceCount: number
  readonly subscriberCount: number
}

/** A customer without stored settings has these defaults. */
const PAGE_COLUMNS = `c.id as "customerId", c.name as "customerName", coalesce(p.mode, 'off') as mode,
  coalesce(p.slug, '') as slug, p.secret, coalesce(p.title, c.name) as title, coalesce(p.note, '') as note,
  coalesce(p.tag, '') as tag, coalesce(p.tag_key, '') as "tagKey", coalesce(p.place_prefix, '') as "placePrefix",
  case when p.customer_id is null then 2 else p.severity_id end as "severityId",
  coalesce(p.shows_planned, true) as "showsPlanned", coalesce(p.takes_subscribers, true) as "takesSubscribers"`

export async function readListedPages(db: Db, scope: Scope): Promise<ListedPage[]> {
  const { rows } = await statementsOf(db).query<ListedPage>(
    `select ${PAGE_COLUMNS},
       count(d.id) filter (where n.light is not null or n.is_silent is null)::int as "deviceCount",
       (select count(*)::int from status_subscriber s where s.customer_id = c.id and s.confirmed_at is not null)
         as "subscriberCount"
     from customer c left join status_page p on p.customer_id = c.id
     left join device d on d.customer_id = c.id and d.deleted_at is null and d.status_id = $2
       and (coalesce(p.tag_key, '') = '' or p.tag_key = any(d.tag_keys))
     left join device_now n on n.device_id = d.id and n.customer_id = c.id
     where $1::int is null or c.id = $1 group by c.id, p.customer_id order by name_order(c.name), c.id`,
    [customerOf(scope), DEVICE_STATUS.active],
  )
  return rows
}

/** Reads the page and locks it until the transaction ends. */
export async function lockPage(transaction: Tx, scope: Scope, customerId: CustomerId): Promise<PageRow | undefined> {
  if (!isWithin(scope, customerId)) return undefined
  const statements = statementsOf(transaction)
  await statements.query('select from customer where id = $1 for update', [customerId])
  const { rows } = await statements.query<PageRow>(
    `select ${PAGE_COLUMNS} from customer c left join status_page p on p.customer_id = c.id where c.id = $1`,
    [customerId],
  )
  return rows[0]
}

/** @returns true when no other public page has this name */
export async function isFree(transaction: Tx, customerId: CustomerId, slug: string): Promise<boolean> {
  const { rows } = await statementsOf(transaction).query(
    `select from status_page where slug = $2 and mode = 'public' and customer_id <> $1`,
    [customerId, slug],
  )
  return rows.length === 0
}

export async function writePage(transaction: Tx, page: PageRow, by: UserId): Promise<void> {
  await statementsOf(transaction).query(
    `insert into status_page as p (customer_id, mode, slug, title, note, tag, tag_key, place_prefix, severity_id, shows_planned,
       takes_subscribers, secret, secret_hash, updated_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     on conflict (customer_id) do update set mode = excluded.mode, slug = excluded.slug, title = excluded.title,
       note = excluded.note, tag = excluded.tag, tag_key = excluded.tag_key, place_prefix = excluded.place_prefix,
       severity_id = excluded.severity_id, shows_planned = excluded.shows_planned,
       takes_subscribers = excluded.takes_subscribers, secret = excluded.secret, secret_hash = excluded.secret_hash,
       told_from = case when p.mode = 'off' then now() else p.told_from end, updated_at = now(),
       updated_by = excluded.updated_by`,
    [
      page.customerId,
      page.mode,
      page.slug,
      page.title,
      page.note,
      page.tag,
      page.tagKey,
      page.placePrefix,
      page.severityId,
      page.showsPlanned,
      page.takesSubscribers,
      page.secret,
      page.secret === null ? null : secretHash(page.secret),
      by,
    ],
  )
}

/** Ends all subscriptions, so that nobody who knows the old address is sent the new one. */
export async function endSubscriptions(transaction: Tx, customerId: CustomerId): Promise<void> {
  await statementsOf(transaction).query('delete from status_subscriber where customer_id = $1', [customerId])
}
