import { chmodSync, chownSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type pg from 'pg'
import { DAY_MS } from '#domain/units/time.ts'
import { makeClosedMonth } from '#server/db/partitions/partitions.ts'
import { closingJob } from '#server/telemetry/retention/keptDays.ts'
import type { WritePath } from '#server/telemetry/write/WritePath.ts'
import { SmallDisk } from '#server/testing/backup/SmallDisk.ts'
import { CITUS_FOLDER } from '#server/testing/database/citusCluster.ts'
import type { ClosedFleet } from './ClosedFleet.ts'

const MEGABYTES = 4
const OPEN_DAYS = 4

interface FullDiskDeps {
  readonly ownerUrl: string
  readonly owner: pg.Client
  readonly path: WritePath
  readonly fleet: ClosedFleet
  readonly run: { wrong(sentence: string): void }
  readonly day: string
  readonly folder: string
}

/** Closes a day on a disk that has no room, and again when there is some. @returns what happened */
export async function closeOnFullDisk(deps: FullDiskDeps): Promise<string> {
  const { owner, fleet, run, day, folder } = deps
  await fleet.fill(day)
  if (CITUS_FOLDER !== undefined) return 'A full disk was not tried, because closed days lie on those of the workers.'
  const disk = SmallDisk.make(join(folder, 'small'), MEGABYTES)
  if (disk === undefined) return 'A full disk was not tried, because nobody may mount a small one here.'
  try {
    await moveClosedDays(owner, disk.folder, day)
    disk.fill()
    const told = await closeOnce(deps)
    if (!/^Days of readings could not be closed: .*No space left on device/.test(told ?? ''))
      run.wrong(`A full disk was told as: ${told}`)
    for (const sentence of await fleet.wrongOf([day])) run.wrong(`On a full disk ${sentence}`)
    await fleet.writeLate([day])
    for (const sentence of await fleet.wrongOf([day])) run.wrong(`With late readings on a full disk ${sentence}`)
    disk.free()
    const after = await closeOnce(deps)
    if (after !== undefined) run.wrong(`With room again it was told: ${after}`)
    const { rowCount } = await owner.query('select from closing_state where closed_before > $1', [day])
    if (rowCount === 0) run.wrong('With room again the day was not closed')
    for (const sentence of await fleet.wrongOf([day])) run.wrong(`With room again ${sentence}`)
    await owner.query(`alter table ${monthOf(day)} set tablespace pg_default`)
    await owner.query('drop tablespace small')
    return `The disk was full: "${told}"`
  } finally {
    disk.remove()
  }
}

const monthOf = (day: string) => `closed_day_${day.slice(0, 7).replace('-', '')}`

async function moveClosedDays(owner: pg.Client, folder: string, day: string): Promise<void> {
  const { rows } = await owner.query<{ data_directory: string }>('show data_directory')
  const { uid, gid } = statSync(rows[0]?.data_directory ?? '')
  // The database has a user of its own, who must be able to reach it.
  for (const above of [dirname(dirname(folder)), dirname(folder)]) chmodSync(above, 0o755)
  chownSync(folder, uid, gid)
  await owner.query(`create tablespace small location '${folder}'`)
  await makeClosedMonth(owner, new Date(day))
  await owner.query(`alter table ${monthOf(day)} set tablespace small`)
}

/** Closes days as the leading process does. @returns what the operator reads */
async function closeOnce({ ownerUrl, owner, path, day }: FullDiskDeps): Promise<string | undefined> {
  await path.mergeState()
  const now = new Date(Date.parse(day) + (OPEN_DAYS + 1) * DAY_MS)
  await owner.query(
    `insert into device_state (device_id, event_type_id, number, newest_at, oldest_moved_at, received_at, fields)
     values (999, 5, 1, $1, $1, $1, '{}') on conflict do nothing`,
    [now],
  )
  let told: string | undefined = 'nothing'
  const job = closingJob({
    ...{ url: ownerUrl, openDays: OPEN_DAYS, share: 1, readersTakeMs: 0 },
    ...{ log: { info: () => undefined }, onTrouble: (words) => (told = words) },
  })
  await job.run(owner, now, new AbortController().signal).catch(() => undefined)
  return told
}
