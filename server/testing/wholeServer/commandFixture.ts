import { Socket } from 'node:net'
import type { MqttClient } from 'mqtt'
import type pg from 'pg'
import type { Command, CommandReply } from '#contract/mqtt/command.ts'
import { type DeviceSettings, type SettingsReply, settingsReplyId } from '#contract/mqtt/settings.ts'
import { commandsFilter, replyTopic, settingsTopic } from '#contract/mqtt/topics.ts'
import type { RunningServer } from '#server/app/server.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { addUser, openSession, type Request } from '../callers.ts'
import { freshDatabase } from '../database/freshDatabase.ts'
import { connectDevice, eventually, insertDevices, type TestDevice } from '../devices/gatewayFixture.ts'
import { askServer, startWholeServer } from './wholeServer.ts'

type ReplyTo<Question, Reply> = (question: Question, id: string) => Reply | undefined | Promise<Reply | undefined>

/** An MQTT client that plays a device; it behaves well until a test changes that. */
export class PlayedDevice {
  readonly device: TestDevice
  /** Everything that arrived in order, under the id of its topic. */
  readonly commands: { readonly id: string; readonly command: Command; readonly at: Date }[] = []
  readonly documents: DeviceSettings[] = []
  /** Undefined says nothing. A text is published as it is. */
  answer: ReplyTo<Command, CommandReply | string> = ({ name }) => ({ ok: true, text: `${name} is done.`, errors: [] })
  answerSettings: ReplyTo<DeviceSettings, SettingsReply> = ({ version, sections }) => ({
    version,
    results: sections.map(({ section, number }) => ({ section, number, ok: true, errors: [] })),
  })
  client: MqttClient | undefined

  constructor(device: TestDevice) {
    this.device = device
  }

  /** Connects, and waits until the device counts as online. */
  async connect(port: number, pool: pg.Pool): Promise<void> {
    const { guid, id } = this.device
    this.client = await connectDevice(port, this.device)
    // The agent does the same: a reply behind an acknowledgement would wait 40 ms for the other side.
    if (this.client.stream instanceof Socket) this.client.stream.setNoDelay(true)
    this.client.on('message', (topic, payload) => {
      // The connection may end before what the device says is acknowledged.
      this.#hear(topic, JSON.parse(payload.toString())).catch(() => undefined)
    })
    await this.client.subscribeAsync([commandsFilter(guid), settingsTopic(guid)], { qos: 1 })
    await eventually(
      async () => (await pool.query('select from device_connection where device_id = $1', [id])).rowCount,
      (count) => (count ?? 0) > 0,
    )
  }

  async disconnect(pool: pg.Pool): Promise<void> {
    await this.client?.endAsync()
    await eventually(
      async () => (await pool.query('select from device_connection where device_id = $1', [this.device.id])).rowCount,
      (count) => count === 0,
    )
  }

  async reply(id: string, content: unknown): Promise<void> {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    await this.client?.publishAsync(replyTopic(this.device.guid, id), text, { qos: 1 })
  }

  async #hear(topic: string, content: unknown): Promise<void> {
    if (topic === settingsTopic(this.device.guid)) {
      const document = content as DeviceSettings
      this.documents.push(document)
      const reply = await this.answerSettings(document, '')
      if (reply) await this.reply(settingsReplyId(document.version), reply)
      return
    }
    const id = topic.split('/').at(-1) ?? ''
    const command = content as Command
    this.commands.push({ id, command, at: new Date() })
    const reply = await this.answer(command, id)
    if (reply) await this.reply(id, reply)
  }
}

/** Starts two whole servers on one database, with a manager of every right and devices that are not connected. */
export async function commandFixture({ devices: deviceCount = 1 }: { devices?: number } = {}) {
  const database = await freshDatabase()
  const owner = openPool(database.ownerUrl, { maximumConnections: 3, name: 'test owner' })
  const here = await startWholeServer(database)
  const there = await startWholeServer(database)
  const devices = (await insertDevices(owner, deviceCount, { modelId: 1 })).map((device) => new PlayedDevice(device))
  const managerId = await addUser(owner, { username: 'manager@staff.example', functions: [2] })
  const token = await openSession(owner, managerId)
  const portOf = ({ localAddresses }: RunningServer) => Number(new URL(localAddresses.mqttUrl).port)
  return {
    database,
    owner,
    here,
    there,
    devices,
    managerId,
    token,
    ask: (path: string, asked: Request, server: RunningServer = here) =>
      askServer(server.localAddresses.httpUrl, path, { token, ...asked }),
    connect: (played: PlayedDevice, server: RunningServer = here) => played.connect(portOf(server), owner),
    rows: async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) =>
      (await owner.query<Row>(sql, values)).rows,
    async close() {
      for (const { client } of devices) client?.end(true)
      await Promise.all([here.stop(), there.stop()])
      await owner.end()
      await database.drop()
    },
  }
}

export type CommandFixture = Awaited<ReturnType<typeof commandFixture>>
