import type { DeviceId } from '#domain/ids.ts'
import type { Statements } from '#server/db/statements.ts'
import { type Job, TOLD_EVERY_MS } from '#server/jobs/JobRunner.ts'

const DEVICES_AT_ONCE = 1_000
export const SEARCH_TEXTS_JOB = 'search texts'

interface Row {
  readonly id: DeviceId
  readonly name: string
  readonly address: string
  readonly attr_serial: string
  readonly customer_name: string
  /** There is one tag in each line. */
  readonly tags: string
}

const SEARCHABLE = `select d.id, d.name, d.address, d.attr_serial, c.name as customer_name,
    array_to_string(d.tags, e'\\n') as tags
  from device d join customer c on c.id = d.customer_id`

/** Runs in the transaction of the change, so that a search finds the new names from its commit on. */
export async function storeSearchTexts(statements: Statements, deviceIds: readonly DeviceId[]): Promise<void> {
  const { rows } = await statements.query<Row>(`${SEARCHABLE} where d.id = any($1::int[])`, [deviceIds])
  await store(statements, rows)
}

/** Folds texts that are due: all devices of an older version, or those of a renamed customer. */
export const searchTextsJob: Job = {
  name: SEARCH_TEXTS_JOB,
  everyMs: TOLD_EVERY_MS,
  async run(owner, _now, stopped) {
    for (let count = DEVICES_AT_ONCE; count === DEVICES_AT_ONCE && !stopped.aborted; ) {
      const { rows } = await owner.query<Row>(
        `${SEARCHABLE} where (d.search_text is null or d.place_text is null) and d.deleted_at is null order by d.id limit ${DEVICES_AT_ONCE}`,
      )
      await store(owner, rows)
      count = rows.length
    }
  },
}

async function store(statements: Statements, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  // It loads late, because an idle server does without its half megabyte of letters.
  const { placeText, searchText } = await import('#domain/devices/searchText.ts')
  const texts = rows.map(({ name, address, attr_serial: attrSerial, customer_name: customerName, tags }) =>
    searchText({ name, address, attrSerial, customerName, tags: tags.split('\n') }),
  )
  // A device that changed meanwhile is left out: it is due again.
  await statements.query(
    `update device d set search_text = folded.text, place_text = folded.place
     from unnest($1::int[], $2::text[], $7::text[], $3::text[], $4::text[], $5::text[], $6::text[], $8::text[])
       as folded (id, text, place, name, address, attr_serial, customer_name, tags)
     join customer c on c.name = folded.customer_name
     where d.id = folded.id and c.id = d.customer_id and d.name = folded.name and d.address = folded.address
       and d.attr_serial = folded.attr_serial and array_to_string(d.tags, e'\\n') = folded.tags
       and (d.search_text, d.place_text) is distinct from (folded.text, folded.place)`,
    [
      rows.map(({ id }) => id),
      texts,
      rows.map(({ name }) => name),
      rows.map(({ address }) => address),
      rows.map(({ attr_serial }) => attr_serial),
      rows.map(({ customer_name }) => customer_name),
      rows.map((row) => placeText(row.address)),
      rows.map(({ tags }) => tags),
    ],
  )
}
