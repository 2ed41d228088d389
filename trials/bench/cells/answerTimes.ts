import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Run } from '../../frame/Run.ts'
import { quantile } from '../../frame/table.ts'
import { makeFleet } from '../overview/fleet.ts'
import { addressOf, sent } from '../overview/questions.ts'
import { times } from '../overview/repeats.ts'

export interface Asked {
  readonly name: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
}

const WARM_UPS = 15
const PAUSE_MS = 500
/** Slow calls are made less often. */
const LONGEST_MS = 6_000

export interface CellAnswers {
  /** How long a cell of this size took, each time it was asked. */
  readonly tookMs: readonly number[]
  readonly body: string
}

/** Asks a real installation of so many devices, as the directory would ask a cell. */
export async function askRealCell(
  run: Run<never>,
  { devices, alerts, repeats }: { readonly devices: number; readonly alerts: number; readonly repeats: number },
  calls: readonly Asked[],
): Promise<ReadonlyMap<string, CellAnswers>> {
  const database = await run.database()
  const db = new pg.Client({ connectionString: database.ownerUrl })
  await db.connect()
  const token = () => randomBytes(32).toString('base64url')
  const { staffToken } = await makeFleet(db, { devices, alerts }, [token(), token()])
  await db.end()
  const { httpUrl } = await run.product(database)
  const found = new Map<string, CellAnswers>()
  for (const { name, path, query } of calls) {
    const address = addressOf(httpUrl, path, query)
    const ask = () => sent(address, staffToken, 'identity')
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    const warmed = await times(WARM_UPS, ask)
    const tookMs = await times(Math.min(repeats, Math.ceil(LONGEST_MS / quantile(warmed, 0.5))), ask)
    found.set(name, { tookMs, body: (await ask()).toString() })
  }
  await run.endWorkers()
  return found
}

/** A cell stands in the same data centre, or in another one of the same country. */
const MEDIAN_WAY_MS = 2
const SPREAD_OF_WAY = 0.6
/** A lost packet is sent again after so long. */
const LOST_IN = 1_000
const SENT_AGAIN_MS = 200

/** Draws how long question and answer are on their way. */
export function drawWayMs(dice: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - dice())) * Math.cos(2 * Math.PI * dice())
  return MEDIAN_WAY_MS * Math.exp(SPREAD_OF_WAY * normal) + (dice() * LOST_IN < 1 ? SENT_AGAIN_MS : 0)
}

export const draw = (values: readonly number[], dice: () => number): number =>
  values[Math.floor(dice() * values.length)] ?? 0
