import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import {
  type DesiredSection,
  type DeviceSettings,
  deviceSettings,
  MOST_BYTES_FROM_SERVER,
  type SettingsReply,
  sectionsOf,
} from '#contract/mqtt/settings.ts'
import { isTimeZone } from '#domain/units/timeZones.ts'
import type { DeviceStore } from '../store/deviceStore.ts'
import type { AppliedSections } from './appliedSections.ts'
import type { Execute } from './execute.ts'

const REMEMBERED_AS = 'settings'
const EPOCH_REMEMBERED_AS = 'settingsEpoch'

/** These settings hold until the server has sent others. */
export type FirstSettings = Omit<z.input<typeof deviceSettings>, 'version'>
export type Settings = Omit<DeviceSettings, 'version'>

export interface SettingsOutcome {
  /** Undefined when the document cannot be read, so that there is nothing to answer. */
  readonly reply?: SettingsReply
  readonly said?: string
}

/** The settings document: kept on disk, the newest wins, changed sections are carried out (contract: settings). */
export interface SettingsApplier {
  current(): Settings
  receive(payload: Buffer): Promise<SettingsOutcome>
  /** Begins once every document that came before is carried out, so that later values stay. */
  inQueue<Result>(work: () => Promise<Result>): Promise<Result>
}

export function createSettingsApplier(deps: {
  readonly store: DeviceStore
  /** Versions are compared only within one epoch, so that no server can block the settings of the next. */
  readonly epoch: string
  readonly first: FirstSettings
  readonly applied: AppliedSections
  readonly execute: Execute
  /** Called with each document before its sections are carried out. */
  readonly onKnown: (settings: Settings) => void
}): SettingsApplier {
  const { store, epoch, applied, execute } = deps
  let known = readDocument(store.remembered(REMEMBERED_AS))
  let epochOfKnown = store.remembered(EPOCH_REMEMBERED_AS)
  const first = deviceSettings.omit({ version: true }).parse(deps.first)
  let last: Promise<unknown> = Promise.resolve()
  const inQueue = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }

  const carryOut = async ({ section, number, args }: DesiredSection) => {
    const carriedOut = applied.get(section, number)
    // A value that a section leaves out stays unchanged, so it cannot differ.
    if (carriedOut && isDeepStrictEqual(carriedOut, { ...carriedOut, ...args }))
      return { section, number, ok: true, errors: [] }
    const { ok, errors } = await execute({ name: `${section}.apply`, args })
    return { section, number, ok, errors }
  }

  const keep = (document: DeviceSettings) => {
    if (!isDeepStrictEqual(document, known)) store.remember(REMEMBERED_AS, JSON.stringify(document))
    // The epoch is written last: a document without its epoch only gives way to any version once more.
    if (epochOfKnown !== epoch) store.remember(EPOCH_REMEMBERED_AS, epoch)
    known = document
    epochOfKnown = epoch
  }

  const handle = async (payload: Buffer): Promise<SettingsOutcome> => {
    const document = readDocument(payload.toString('utf8'))
    if (!document) return { said: 'The settings from the server are not understood; the old ones stay.' }
    if (known && epochOfKnown === epoch && document.version < known.version) {
      return {
        reply: { version: known.version, results: [] },
        said: `Settings ${document.version} are older than settings ${known.version} of this device, which stay.`,
      }
    }
    keep(document)
    deps.onKnown(document)
    const results: SettingsReply['results'] = []
    for (const section of sectionsOf(document)) results.push(await carryOut(section))
    const refused = results.filter(({ ok }) => !ok)
    return {
      reply: { version: document.version, results },
      ...(refused.length > 0
        ? { said: `Settings ${document.version} refused: ${refused.flatMap(({ errors }) => errors).join(' ')}` }
        : {}),
    }
  }

  return {
    current: () => known ?? first,
    receive: (payload) => inQueue(() => handle(payload)),
    inQueue,
  }
}

function readDocument(text: string | undefined): DeviceSettings | undefined {
  // Older clients kept any document, however long.
  if (text !== undefined && text.length > MOST_BYTES_FROM_SERVER) return undefined
  try {
    const parsed = deviceSettings.safeParse(JSON.parse(text ?? ''))
    // Off times have no meaning in a zone that does not exist.
    return parsed.success && isTimeZone(parsed.data.timeZone) ? parsed.data : undefined
  } catch {
    return undefined
  }
}
