import type { DeviceId } from '#domain/ids.ts'
import { isBelieved } from '#server/db/partitions/readingTables.ts'
import type { Queryable } from '#server/db/transaction.ts'
import type { EventLayout } from '#server/telemetry/ingress/eventLayout.ts'
import { findSettled, spansOfType } from '#server/telemetry/settled/settledDays.ts'
import { believedRows, type SettledValue, valueAt } from '#server/telemetry/settled/settledValues.ts'

export interface ReportedQuestion<Name extends string> {
  readonly layout: EventLayout
  readonly deviceId: DeviceId
  readonly names: readonly Name[]
  readonly fromMs: number
  /** The end is excluded. */
  readonly toMs: number
}

/** The values of one report that has any of them, in the order of the names. */
export interface Reported {
  readonly number: number
  readonly atMs: number
  readonly values: readonly (SettledValue | undefined)[]
}

/** Reads several fields of all components of a type, oldest first. A reading with an unbelieved clock does not show when it was. */
export async function readReported<Name extends string>(
  queryable: Queryable,
  { layout, deviceId, names, fromMs, toMs }: ReportedQuestion<Name>,
): Promise<readonly Reported[]> {
  const period = { from: new Date(fromMs), to: new Date(toMs) }
  const settled = await findSettled(queryable, spansOfType(layout, deviceId, period))
  const columns = names.map((name) => layout.columns[layout.indexByName.get(name) ?? -1] ?? 'null')
  const { rows } = await queryable.query<[number, number, ...(SettledValue | null)[]]>({
    text: `select number, (extract(epoch from device_dt) * 1000)::float8, ${columns.join(', ')} from ${layout.table}
       where device_id = $1 and device_dt >= $2 and device_dt < $3
         and ${isBelieved()} and (${columns.map((column) => `${column} is not null`).join(' or ')})`,
    values: [deviceId, new Date(Math.max(fromMs, settled.openFromMs)), period.to],
    rowMode: 'array',
  } as never)
  const reported: Reported[] = []
  for await (const day of settled.days({ fields: names, withClaims: true })) {
    const cells = names.map((name) => day.columns.fields.get(name))
    for (const row of believedRows(day, 'oldestFirst')) {
      const values = cells.map((one) => valueAt(one, row))
      if (values.every((value) => value === undefined)) continue
      reported.push({ number: day.span.number, atMs: (day.columns.at[row] as number) / 1000, values })
    }
  }
  for (const [number, atMs, ...values] of rows)
    reported.push({ number, atMs, values: values.map((value) => value ?? undefined) })
  return reported.sort((a, b) => a.atMs - b.atMs)
}
