import type { Refusal } from '#domain/darkness/facts.ts'
import type { DayPlan } from '#domain/displays/dayPlan.ts'
import type { OffTimes } from '#domain/displays/offTimes.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Statements } from '#server/db/statements.ts'

export interface ConfirmedSettings {
  readonly offTimes: OffTimes | undefined
  readonly dayPlan: DayPlan | undefined
  readonly emergency?: string | undefined
  /** The backlight in percent by display number. */
  readonly setBacklights: ReadonlyMap<number, number>
  readonly refusals: readonly Refusal[]
}

interface Row {
  readonly device_id: DeviceId
  readonly section: string
  readonly number: number
  readonly reported: Readonly<Record<string, unknown>> | null
  readonly refused_at: Date | null
  readonly refused_errors: readonly string[] | null
  readonly emergency: string | null
}

/** Reads the confirmed settings of devices that have any. Refusals under an earlier customer are left out. */
export async function readConfirmedSettings(
  statements: Statements,
  deviceIds: readonly DeviceId[],
): Promise<ReadonlyMap<DeviceId, ConfirmedSettings>> {
  const { rows } = await statements.query<Row>(
    `select s.device_id, section, number, reported, refused_errors,
       case when s.customer_id = d.customer_id then refused_at end as refused_at,
       case when section = 'turnOff' then (
         select e.reason from emergency_dark_device m join emergency_dark e on e.id = m.emergency_id
         where m.device_id = s.device_id and m.ended_at is null and m.off_times = s.reported
         order by e.until_at desc limit 1) end as emergency
     from device_setting s join device d on d.id = s.device_id
     where s.device_id = any($1::int[]) order by s.device_id, section, number`,
    [deviceIds],
  )
  return new Map([...Map.groupBy(rows, ({ device_id }) => device_id)].map(([id, its]) => [id, confirmed(its)]))
}

function confirmed(rows: readonly Row[]): ConfirmedSettings {
  const plan = (name: 'turnOff' | 'dayPlan') => rows.find(({ section }) => section === name)?.reported ?? undefined
  return {
    offTimes: plan('turnOff') as OffTimes | undefined,
    dayPlan: plan('dayPlan') as DayPlan | undefined,
    emergency: rows.find(({ emergency }) => emergency !== null)?.emergency ?? undefined,
    setBacklights: new Map(
      rows.flatMap(({ section, number, reported }): [number, number][] => {
        const level =
          section === 'display' ? (reported as { backlightLevel?: number } | null)?.backlightLevel : undefined
        return level === undefined ? [] : [[number, level]]
      }),
    ),
    refusals: rows.flatMap(({ section, number, refused_at: at, refused_errors: errors }) =>
      at === null ? [] : [{ section: section as Refusal['section'], number, at, words: (errors ?? []).join(' ') }],
    ),
  }
}
