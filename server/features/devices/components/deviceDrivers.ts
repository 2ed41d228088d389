import { isDeepStrictEqual } from 'node:util'
import type { ReadBodyOf } from '#contract/call/call.ts'
import type { DeviceDrivers, setDeviceDriver } from '#contract/http/devices/deviceDrivers.ts'
import type { DriverReport } from '#contract/mqtt/drivers.ts'
import { reportedComponents } from '#domain/components/standardComponents.ts'
import { networkProblem, readConsoleOptions } from '#domain/drivers/consoleOptions.ts'
import { driverByName } from '#domain/drivers/drivers.ts'
import { secretMoveOf, splitOptions } from '#domain/drivers/keptSecrets.ts'
import { partKey, readPartKey } from '#domain/drivers/partKey.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Given } from '#server/features/feature.ts'
import { changeDevice } from '#server/fleet/changeDevice.ts'
import { lockDevice } from '#server/fleet/existingDevices.store.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { refuseSecretMove } from '#server/http/call/secretMove.ts'
import type { SecretCipher } from '#server/secrets/SecretCipher.ts'
import { type ChosenRow, readChosenDrivers, readFitted, replaceDriver } from './deviceDrivers.store.ts'

type Request = ReadBodyOf<typeof setDeviceDriver>

export async function readDrivers(db: Db | Tx, cipher: SecretCipher, deviceId: DeviceId): Promise<DeviceDrivers> {
  const { modelId, components, told, found, foundAt } = await readFitted(db, deviceId)
  const chosen = await readChosenDrivers(db, cipher, deviceId)
  return {
    parts: reportedComponents(modelId, components).map((part) => partOf(partKey(part), chosen, told)),
    client: told ? { known: told.known, allowedNetworks: told.allowedNetworks } : null,
    found: found && foundAt && { parts: found.parts, seen: found.seen, at: foundAt.toISOString() },
  }
}

export function chooseDriver(
  { db, cipher }: Pick<Given, 'db' | 'cipher'>,
  asked: Request,
  caller: Caller,
  change: ChangeRecord,
): Promise<DeviceDrivers> {
  const { deviceId, part } = asked
  return changeDevice(db, lockDevice, { id: deviceId, caller, change }, async (_device, transaction) => {
    const { modelId, components, told } = await readFitted(transaction, deviceId)
    const isReported = reportedComponents(modelId, components).some((one) => partKey(one) === part)
    if (!isReported) throw refused('part', 'is no component of this device')
    const before = (await readChosenDrivers(transaction, cipher, deviceId)).find((row) => row.part === part)
    const wanted = wantedOf(asked, { before, told, caller })
    if (!isDeepStrictEqual(before, wanted && { part, ...wanted })) {
      await replaceDriver(transaction, cipher, asked, wanted)
    }
    return {
      audited: {
        before: { part, ...shown(before) },
        after: { part, ...shown(wanted), ...changedSecrets(before, wanted) },
      },
      answer: await readDrivers(transaction, cipher, deviceId),
    }
  })
}

const refused = (field: string, reason: string) => new CallError('invalid_driver', `${field} ${reason}`)

/** @throws CallError `invalid_driver` with the field and the reason */
function wantedOf(
  { part, driver, options: asked }: Request,
  { before, told, caller }: { before: ChosenRow | undefined; told: DriverReport | undefined; caller: Caller },
): Omit<ChosenRow, 'part'> | undefined {
  if (driver === null) return undefined
  const description = driverByName(driver)
  const topic = readPartKey(part)?.topic
  if (!description || !topic || !description.parts.includes(topic)) {
    throw refused('driver', `is no driver of ${part}`)
  }
  const { options, secrets } = splitOptions(description, asked, before)
  if (before?.driver === driver) {
    const kept = { options: before.options, secrets: Object.keys(before.secrets) }
    refuseSecretMove(secretMoveOf(description, kept, asked), caller, refused)
  }
  const read = readConsoleOptions(description, { ...options, ...secrets })
  if ('problem' in read) throw refused(read.problem.field, read.problem.reason)
  // A client that has not reported its allowed networks checks the address itself.
  const problem = told && networkProblem(description, options, told.allowedNetworks)
  if (problem) throw refused(problem.field, problem.reason)
  return { driver, options, secrets }
}

/** Leaves out the values of secrets, which nobody may read. */
const shown = (row: Omit<ChosenRow, 'part'> | undefined) => ({
  driver: row?.driver ?? null,
  options: row?.options ?? {},
  secrets: Object.keys(row?.secrets ?? {}).sort(),
})

/** Names the secrets that changed without their values. */
function changedSecrets(before: ChosenRow | undefined, after: Omit<ChosenRow, 'part'> | undefined) {
  const names = Object.keys(after?.secrets ?? {}).filter((name) => before?.secrets[name] !== after?.secrets[name])
  return names.length > 0 ? { newSecrets: names.sort() } : {}
}

function partOf(
  key: string,
  chosen: readonly ChosenRow[],
  told: DriverReport | undefined,
): DeviceDrivers['parts'][number] {
  const row = chosen.find(({ part }) => part === key)
  const said = told?.parts.find(({ part }) => part === key)
  return {
    part: key,
    chosen: row ? { driver: row.driver, options: { ...row.options }, secrets: Object.keys(row.secrets).sort() } : null,
    setBy: said?.setBy ?? null,
    used: said?.drivers ?? [],
    refusal: said?.refusal ?? null,
  }
}
