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

interface SettingsApplierDeps {
  readonly store: DeviceStore
  /** Versions are compared only within one epoch, so that no server can block the settings of the next. */
  readonly epoch: string
  readonly first: FirstSettings
  readonly applied: AppliedSections
  readonly execute: Execute
  /** Called with each document before its sections are carried out. */
  readonly onKnown: (settings: Settings) => void
}

/** The settings document: kept on disk, the newest wins, changed sections are carried out (contract: settings). */
export class SettingsApplier {
  readonly #deps: SettingsApplierDeps
  readonly #first: Settings
  #known: DeviceSettings | undefined
  #epochOfKnown: string | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(deps: SettingsApplierDeps) {
    this.#deps = deps
    this.#known = readDocument(deps.store.remembered(REMEMBERED_AS))
    this.#epochOfKnown = deps.store.remembered(EPOCH_REMEMBERED_AS)
    this.#first = deviceSettings.omit({ version: true }).parse(deps.first)
  }

  current(): Settings {
    return this.#known ?? this.#first
  }

  receive(payload: Buffer): Promise<SettingsOutcome> {
    return this.inQueue(() => this.#handle(payload))
  }

  /** Begins once every document that came before is carried out, so that later values stay. */
  inQueue<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.#last.then(work)
    this.#last = mine.catch(() => undefined)
    return mine
  }

  async #handle(payload: Buffer): Promise<SettingsOutcome> {
    const document = readDocument(payload.toString('utf8'))
    if (!document) return { said: 'The settings from the server are not understood; the old ones stay.' }
    const known = this.#known
    if (known && this.#epochOfKnown === this.#deps.epoch && document.version < known.version) {
      return {
        reply: { version: known.version, results: [] },
        said: `Settings ${document.version} are older than settings ${known.version} of this device, which stay.`,
      }
    }
    this.#keep(document)
    this.#deps.onKnown(document)
    const results: SettingsReply['results'] = []
    for (const section of sectionsOf(document)) results.push(await this.#carryOut(section))
    const refused = results.filter(({ ok }) => !ok)
    return {
      reply: { version: document.version, results },
      ...(refused.length > 0
        ? { said: `Settings ${document.version} refused: ${refused.flatMap(({ errors }) => errors).join(' ')}` }
        : {}),
    }
  }

  #keep(document: DeviceSettings): void {
    const { store, epoch } = this.#deps
    if (!isDeepStrictEqual(document, this.#known)) store.remember(REMEMBERED_AS, JSON.stringify(document))
    // The epoch is written last: a document without its epoch only gives way to any version once more.
    if (this.#epochOfKnown !== epoch) store.remember(EPOCH_REMEMBERED_AS, epoch)
    this.#known = document
    this.#epochOfKnown = epoch
  }

  async #carryOut({ section, number, args }: DesiredSection) {
    const carriedOut = this.#deps.applied.get(section, number)
    // A value that a section leaves out stays unchanged, so it cannot differ.
    if (carriedOut && isDeepStrictEqual(carriedOut, { ...carriedOut, ...args })) {
      return { section, number, ok: true, errors: [] }
    }
    const { ok, errors } = await this.#deps.execute({ name: `${section}.apply`, args })
    return { section, number, ok, errors }
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
