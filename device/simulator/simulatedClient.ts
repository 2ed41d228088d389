import { rmSync } from 'node:fs'
import type { AssignedRelease } from '#contract/mqtt/client.ts'
import type { DeviceStore } from '#device/agent/store/deviceStore.ts'
import type { ClientPlace } from '#device/agent/updates/clientPlace.ts'

const REMEMBERED_AS = 'simulatedClient'
/** A client that does not start is noticed at once; a device is away a little longer than that. */
const AWAY_MS = 1000

interface Remembered {
  /** The simulator's own version at the update: a newer simulator begins anew. */
  readonly firstVersion: string
  readonly version: string
  readonly failed: { readonly updateId: string; readonly reason: string } | null
}

/** The launcher and the files of a simulated device: everything in an update is real except the program. */
export interface SimulatedClient {
  /** The version that runs; it survives a restart of the simulator. */
  readonly version: string
  /** The place of the first program. */
  readonly place: ClientPlace
  stop(): void
}

export function openSimulatedClient(deps: {
  readonly store: DeviceStore
  readonly firstVersion: string
  readonly downloadFolder: string
  /** A new client must be connected and healthy within this time. */
  readonly trialMs: number
  readonly startsNew: () => boolean
  /** Ends the running program. */
  readonly end: () => Promise<void>
  readonly begin: (version: string, place: ClientPlace) => void
}): SimulatedClient {
  const { store, firstVersion } = deps
  const known = JSON.parse(store.remembered(REMEMBERED_AS) ?? '{}') as Partial<Remembered>
  let remembered: Remembered = { firstVersion, version: firstVersion, failed: null }
  if (known.firstVersion === firstVersion) remembered = { ...remembered, ...known }
  const keep = (change: Partial<Remembered>) => {
    remembered = { ...remembered, ...change }
    store.remember(REMEMBERED_AS, JSON.stringify(remembered))
  }
  let trial: NodeJS.Timeout | undefined

  const goBack = async ({ updateId }: AssignedRelease, reason: string) => {
    await deps.end()
    keep({ failed: { updateId, reason } })
    deps.begin(remembered.version, placeOf(undefined))
  }
  const tryOut = async (offer: AssignedRelease) => {
    const { version } = offer
    await deps.end()
    if (!deps.startsNew()) {
      trial = setTimeout(goBack, AWAY_MS, offer, `Version ${version} ended with code 1 before it was connected.`)
      return
    }
    const seconds = deps.trialMs / 1000
    const late = `Version ${version} was not connected and healthy within ${seconds} seconds.`
    trial = setTimeout(goBack, deps.trialMs, offer, late)
    deps.begin(version, placeOf(offer))
  }

  const placeOf = (tried: AssignedRelease | undefined): ClientPlace => {
    let planned: AssignedRelease | undefined
    return {
      downloadFolder: deps.downloadFolder,
      trialId: tried?.updateId,
      present: () => undefined,
      // Nothing runs the file, so ten thousand copies of it would be useless.
      keep: (_, file) => rmSync(file, { force: true }),
      hasRun: (version) => version === firstVersion,
      isSettled: () => true,
      plan: (offer) => {
        planned = offer
      },
      confirm: () => {
        clearTimeout(trial)
        if (tried) keep({ version: tried.version, failed: null })
      },
      failure: (updateId) => (remembered.failed?.updateId === updateId ? remembered.failed.reason : undefined),
      restart: () => {
        if (planned) void tryOut(planned)
      },
    }
  }
  return { version: remembered.version, place: placeOf(undefined), stop: () => clearTimeout(trial) }
}
