import {
  exportDeviceFile,
  type FilePreview,
  importDevices,
  MOST_SHOWN_PROBLEMS,
  previewDeviceFile,
} from '#contract/http/devices/deviceFiles.ts'
import { writeDeviceFile } from '#domain/bulk/deviceFile.ts'
import type { Given } from '#server/features/feature.ts'
import { narrowScope } from '#server/fleet/customerLookup.ts'
import { assumedZone } from '#server/fleet/timeZone.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { route, type SignedInRequest } from '#server/http/call/route.ts'
import { endedOverrides, updateDetails } from '../deviceDetails.store.ts'
import { insertDevices, type NewDevice } from '../newDevice.store.ts'
import { newDeviceOf } from '../newDevice.ts'
import { newPart, readAllDevices, replaceParts } from './deviceFile.store.ts'
import { type FilePlan, type PlannedRow, planFile } from './filePlan.ts'

type Deps = Pick<Given, 'db' | 'live'>

/** Devices by the hundred, as a CSV file that goes in and comes out. */
export function deviceFilesFeature(deps: Deps) {
  const { db } = deps
  return {
    routes: [
      route(previewDeviceFile, async ({ body, caller }) => previewOf(await planFile(db, body.csv, caller))),
      route(importDevices, (request) => takeFile(deps, request)),
      route(exportDeviceFile, async ({ query, caller }) => {
        const scope = await narrowScope(db, scopeOf(caller), query.customerId)
        return { csv: writeDeviceFile(await readAllDevices(db, scope)) }
      }),
    ],
  }
}

const kindOf = ({ present, changes }: PlannedRow) =>
  present === undefined ? 'added' : changes.length > 0 ? 'changed' : 'unchanged'

function countsOf(rows: readonly PlannedRow[]) {
  const count = (kind: ReturnType<typeof kindOf>) => rows.filter((row) => kindOf(row) === kind).length
  return { added: count('added'), changed: count('changed'), unchanged: count('unchanged') }
}

function previewOf({ rows, problems }: FilePlan): FilePreview {
  return {
    ...countsOf(rows),
    rows: rows.map((planned) => ({
      ...{ line: planned.row.line, kind: kindOf(planned), name: planned.name },
      ...{ customerName: planned.customer.name, changes: [...planned.changes] },
    })),
    problems: problems.slice(0, MOST_SHOWN_PROBLEMS),
    problemCount: problems.length,
  }
}

/** Takes the whole file in one transaction, or nothing of it. */
async function takeFile(
  { db, live }: Deps,
  { body, caller, change }: SignedInRequest<typeof importDevices>,
): Promise<ReturnType<typeof countsOf>> {
  const { counts, changedIds } = await db.transaction().execute(async (transaction) => {
    const { rows, problems } = await planFile(transaction, body.csv, caller)
    const [first] = problems
    if (first) throw new CallError('import_refused', refusalOf(first, problems.length))
    const added = rows.filter(({ present }) => !present)
    await insertDevices(
      transaction,
      added.map((planned) => newOf(planned, caller)),
    )
    const changed: object[] = []
    for (const planned of rows)
      if (planned.present && planned.changes.length > 0)
        changed.push(await alter(transaction, planned, planned.present, caller))
    const counts = countsOf(rows)
    const details = `By a file: ${counts.added} added, ${counts.changed} changed, ${counts.unchanged} unchanged.`
    const after = { added: added.map(({ name }) => name), changed }
    await change.done(transaction, { name: 'CSV file', customerId: caller.customerId ?? null, details, after })
    const changedIds = rows.flatMap(({ present, changes }) => (present && changes.length > 0 ? [present.id] : []))
    return { counts, changedIds }
  })
  for (const id of changedIds) live.noteChanged(id)
  return counts
}

function refusalOf({ line, column, reason }: FilePlan['problems'][number], count: number): string {
  const place = column === '' ? `Line ${line}` : `Line ${line}, ${column}`
  return `${place}: ${reason}${count > 1 ? ` ${count - 1} more cells are wrong.` : ''} Nothing was changed.`
}

function newOf({ row, name, customer, parts }: PlannedRow, caller: Caller): NewDevice {
  const { modelId, address = '', attrSerial = '', tags = [], position } = row
  if (modelId === undefined) throw new Error('A new device was planned without a model.')
  const details = { address, attrSerial, tags, ...(position ?? { latitude: null, longitude: null }) }
  const device = newDeviceOf({ ...details, name, modelId, customerId: customer.id }, customer.timeZone, caller)
  return parts ? { ...device, components: parts.map(newPart) } : device
}

/** @returns what the audit log keeps of it */
async function alter(
  transaction: Tx,
  { details, parts, customer, name }: PlannedRow,
  present: NonNullable<PlannedRow['present']>,
  caller: Caller,
): Promise<object> {
  const { id, components, timeZoneIsAssumed } = present
  const hasMoved = details.latitude !== undefined && timeZoneIsAssumed
  const zone = hasMoved ? assumedZone({ ...present, ...details }, customer.timeZone) : {}
  await updateDetails(transaction, id, { ...details, ...zone }, caller.userId)
  const overrides = await endedOverrides(transaction, id, details)
  if (parts) await replaceParts(transaction, id, components, parts)
  return { id, name, ...details, ...(parts && { components: parts }), ...(overrides.length > 0 && { overrides }) }
}
