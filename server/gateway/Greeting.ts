import type pg from 'pg'
import type { DeviceSettings } from '#contract/mqtt/settings.ts'
import { settingsTopic, timeTopic } from '#contract/mqtt/topics.ts'
import type { DeviceId } from '#domain/ids.ts'
import { Batches } from '#server/db/Batches.ts'
import type { SecretCipher } from '#server/secrets/SecretCipher.ts'
import { readSettingsDocuments } from './commands/settingsDocument.ts'
import type { DeviceLink } from './wire/DeviceLink.ts'
import { takesIn } from './wire/subscriptions.ts'

const DOCUMENTS_AT_ONCE = 250

export interface GreetingDeps {
  readonly pool: pg.Pool
  readonly cipher: SecretCipher
  readonly now: () => Date
  /** Runs it between what else is sent to the device. */
  readonly inOrder: (deviceId: DeviceId, work: () => Promise<void>) => Promise<void>
  readonly log: (sentence: string, detail: object) => void
}

/** What a device is told when it asks for it: where it stands, what it is to be like, and what time it is. */
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

  /** A connection subscribed. */
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
      // It asks again when it comes back, and by then the database may answer.
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
