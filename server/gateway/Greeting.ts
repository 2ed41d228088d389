import type pg from 'pg'
import type { DeviceSettings } from '#contract/mqtt/settings.ts'
import { settingsTopic, timeTopic } from '#contract/mqtt/topics.ts'
import type { DeviceId } from '#domain/ids.ts'
import { Batches } from '#server/db/queries/Batches.ts'
import type { SecretCipher } from '#server/secrets/SecretCipher.ts'
import { readSettingsDocuments } from './commands/settingsDocument.ts'
import type { DeviceLink } from './wire/DeviceLink.ts'
import { takesIn } from './wire/subscriptions.ts'

const DOCUMENTS_AT_ONCE = 250

export interface GreetingDeps {
  readonly pool: pg.Pool
  readonly cipher: SecretCipher
  readonly now: () => Date
  /** Runs work between whatever else is sent to the device. */
  readonly inOrder: (deviceId: DeviceId, work: () => Promise<void>) => Promise<void>
  readonly log: (sentence: string, detail: object) => void
}

/** Sends a device what it subscribes to: its settings and the time. */
export class Greeting {
  readonly #deps: GreetingDeps
  readonly #documents: Batches<DeviceId, DeviceSettings | undefined>

  constructor(deps: GreetingDeps) {
    this.#deps = deps
    this.#documents = new Batches(DOCUMENTS_AT_ONCE, async (deviceIds) => {
      const documents = await readSettingsDocuments(deps.pool, deviceIds, deps.cipher)
      return deviceIds.map((deviceId) => documents.get(deviceId))
    })
  }

  greet(link: DeviceLink, filters: readonly string[]): void {
    const { session } = link
    if (session === undefined) return
    const asksFor = (topic: string) => filters.some((filter) => takesIn(filter, topic))
    const topic = timeTopic(session.guid)
    if (asksFor(topic)) {
      const payload = JSON.stringify({ now: this.#deps.now().toISOString() })
      link.tell({ topic, payload, qos: 0, retain: false })
    }
    if (!asksFor(settingsTopic(session.guid))) return
    this.sendSettings(link).catch((error: unknown) => {
      // The device subscribes again when it reconnects, and by then the database may answer.
      this.#deps.log('The settings of a device could not be read; its connection was closed.', { error })
      link.close('disconnected')
    })
  }

  async sendSettings(link: DeviceLink): Promise<void> {
    const { session } = link
    if (session === undefined) return
    await this.#deps.inOrder(session.deviceId, async () => {
      const document = await this.#documents.ask(session.deviceId)
      if (document === undefined) return
      const payload = JSON.stringify(document)
      link.tell({ topic: settingsTopic(session.guid), payload, qos: 1, retain: true })
    })
  }
}
