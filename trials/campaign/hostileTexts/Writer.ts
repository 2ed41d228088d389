import mqtt from 'mqtt'
import { EVENT_TYPES } from '#domain/catalogue/eventTypes.ts'
import { PLACES, PLACES_OF_ALERTS, type Place, type Surroundings, withText } from './places.ts'
import type { Written } from './screens.ts'

const ALERT_WITHIN_MS = 30_000
const LOOK_EVERY_MS = 100
const PAIRED = 2
const TEXT = 2

interface Session {
  readonly accessToken: string
}

/** Writes the texts with every right, and adds the devices. */
export class Writer {
  readonly #httpUrl: string
  readonly session: Session
  #customerId = 0
  #alertField: Surroundings['alertField'] | undefined

  private constructor(httpUrl: string, session: Session) {
    this.#httpUrl = httpUrl
    this.session = session
  }

  static async signIn(httpUrl: string, username: string, password: string): Promise<Writer> {
    const stranger = new Writer(httpUrl, { accessToken: '' })
    const session = await stranger.#call<Session>('App/Login', { username, password })
    const writer = new Writer(httpUrl, session)
    writer.#customerId = idIn(await writer.#call('Customer/SetCustomer', { id: 0, name: 'Harbour', countryId: 1 }))
    return writer
  }

  /** Writes one text into every place. */
  async write(text: string, number: number): Promise<Written> {
    const device = await this.#call<Written['device']>('Device/CreateDevice', {
      customerId: this.#customerId,
      modelId: 2,
      name: text,
    })
    this.#alertField ??= await this.#fieldOfAlerts(device.id)
    const around = {
      ...{ number, device, alertField: this.#alertField },
      ...{ alertId: 0, incidentId: 0, roleId: 0, userId: 0, channelId: 0, customerId: this.#customerId },
    }
    for (const place of PLACES) {
      const id = idIn(await this.#put(place, around, text))
      if (place.path === 'AppRole/SetAppRole') around.roleId = id
      if (place.path === 'AppUser/SetAppUser') around.userId = id
      if (place.path === 'Channel/SetChannel') around.channelId = id
    }
    // A pending device never alerts.
    await this.#call('Device/SetDeviceStatus', { id: device.id, statusId: PAIRED })
    await this.#report(device.id, text)
    around.alertId = await this.#alertOf(device.id)
    around.incidentId = await this.#incidentOf(around.alertId)
    for (const place of PLACES_OF_ALERTS) await this.#put(place, around, text)
    const { userId, alertId, incidentId } = around
    return { text, device, userId, alertId, incidentId }
  }

  async #put(place: Place, around: Surroundings, text: string): Promise<unknown> {
    const answer = await this.#ask(place.path, withText(place, around, text))
    // Calls of strangers are limited; some of them are enough.
    if (answer.status === 429 || answer.status === place.refusal) return undefined
    if (!answer.ok) throw new Error(`${place.path} refused ${text}: ${await answer.text()}`)
    return answer.json()
  }

  /** Reports every text that a device can, fields that no catalogue knows, and a message. */
  async #report(id: number, text: string): Promise<void> {
    const { guid, key, mqttUrl } = await this.#call<{ guid: string; key: string; mqttUrl: string }>(
      'Device/DownloadConfiguration',
      { id },
    )
    const client = await mqtt.connectAsync(mqttUrl, { username: guid, password: key, protocolVersion: 4 })
    const publish = (topic: string, content: object) => {
      const report = JSON.stringify({ at: new Date().toISOString(), ...content })
      return client.publishAsync(`v1/devices/${guid}/${topic}`, report, { qos: 1 })
    }
    for (const { topic, fields } of EVENT_TYPES) {
      const texts = fields.filter(({ attributeTypeId }) => attributeTypeId === TEXT).map(({ name }) => [name, text])
      await publish(`events/${topic}`, { values: { ...Object.fromEntries(texts), [text.slice(0, 60)]: text } })
    }
    await publish('messages', { msg: text })
    await client.endAsync()
  }

  /** Finds a text field that a device reports and a condition can use. */
  async #fieldOfAlerts(deviceId: number): Promise<Surroundings['alertField']> {
    const fields = await this.#read<{ id: number; attTypeId: number }[]>(
      `EventType/GetDeviceEtFieldList?deviceId=${deviceId}`,
    )
    const operators = await this.#read<{ id: number; code: string }[]>(`Alert/GetOperatorList?attTypeId=${TEXT}`)
    const field = fields.find(({ attTypeId }) => attTypeId === TEXT)
    const equal = operators.find(({ code }) => code === 'EQ')
    if (!field || !equal) throw new Error('No condition can be about a text any more.')
    return { eventTypeFieldId: field.id, operatorId: equal.id }
  }

  #alertOf(deviceId: number): Promise<number> {
    return this.#waitedFor('What the device reported has raised no alert.', async () => {
      const list = `Alert/GetAlertList?deviceId=${deviceId}&rowNum=1&pageSize=1`
      return (await this.#read<{ rows: { id: number }[] }>(list)).rows[0]?.id
    })
  }

  #incidentOf(alertId: number): Promise<number> {
    return this.#waitedFor('The alert was folded into no incident.', async () => {
      const details = await this.#read<{ incident: { id: number } | null }>(`Alert/GetAlertDetails?id=${alertId}`)
      return details.incident?.id
    })
  }

  async #waitedFor(otherwise: string, look: () => Promise<number | undefined>): Promise<number> {
    for (let waitedMs = 0; waitedMs < ALERT_WITHIN_MS; waitedMs += LOOK_EVERY_MS) {
      const found = await look()
      if (found !== undefined) return found
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    }
    throw new Error(otherwise)
  }

  #ask(path: string, body?: object): Promise<Response> {
    return fetch(`${this.#httpUrl}/api/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${this.session.accessToken}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  }

  async #call<Answer>(path: string, body?: object): Promise<Answer> {
    const answer = await this.#ask(path, body)
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return answer.json() as Promise<Answer>
  }

  #read<Answer>(path: string): Promise<Answer> {
    return this.#call(path)
  }
}

const idIn = (answer: unknown): number =>
  typeof answer === 'number' ? answer : ((answer as { id?: number } | null | undefined)?.id ?? 0)
