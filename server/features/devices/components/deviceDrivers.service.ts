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
import type { VisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { refuseSecretMove } from '#server/http/call/secretMove.ts'
import type { ChosenRow, DeviceDriverStore } from './deviceDrivers.store.ts'

export interface DeviceDriverDeps {
  readonly store: DeviceDriverStore
  readonly visibleDevices: VisibleDevices
}

type Request = ReadBodyOf<typeof setDeviceDriver>

export interface DeviceDriverService {
  readonly read: (deviceId: DeviceId, caller: Caller) => Promise<DeviceDrivers>
  readonly choose: (asked: Request, caller: Caller, change: ChangeRecord) => Promise<DeviceDrivers>
}

export function createDeviceDrivers({ store, visibleDevices }: DeviceDriverDeps): DeviceDriverService {
  const readAll = async (deviceId: DeviceId, transaction?: Tx): Promise<DeviceDrivers> => {
    const { modelId, components, told } = await store.known(deviceId, transaction)
    const chosen = await store.chosen(deviceId, transaction)
    return {
      parts: reportedComponents(modelId, components).map((part) => partOf(partKey(part), chosen, told)),
      client: told ? { known: told.known, allowedNetworks: told.allowedNetworks } : null,
    }
  }

  return {
    read: async (deviceId, caller) => {
      await visibleDevices.require(scopeOf(caller), [deviceId])
      return readAll(deviceId)
    },

    choose: async (asked, caller, change) => {
      const { deviceId, part } = asked
      change.about({ id: deviceId })
      return store.transaction(async (transaction) => {
        const device = await store.lockDevice(deviceId, scopeOf(caller), transaction)
        if (!device) throw notFound()
        change.about({ name: device.name })
        const { modelId, components, told } = await store.known(deviceId, transaction)
        const isReported = reportedComponents(modelId, components).some((one) => partKey(one) === part)
        if (!isReported) throw refused('part', 'is no component of this device')
        const before = (await store.chosen(deviceId, transaction)).find((row) => row.part === part)
        const wanted = wantedOf(asked, { before, told, caller })
        if (!isDeepStrictEqual(before, wanted && { part, ...wanted })) {
          await store.choose(deviceId, part, wanted, transaction)
        }
        await change.done(transaction, {
          id: deviceId,
          name: device.name,
          customerId: device.customerId,
          before: { part, ...shown(before) },
          after: { part, ...shown(wanted), ...changedSecrets(before, wanted) },
        })
        return readAll(deviceId, transaction)
      })
    },
  }
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
