import { type APIRequestContext, expect } from '@playwright/test'
import mqtt, { type MqttClient } from 'mqtt'
import type { Device, DeviceConfiguration } from '#contract/http/devices/devices.ts'
import { login } from './signIn.ts'
import type { RunningSystem } from './system.ts'

type Values = Readonly<Record<string, number | string>>

/** An array of them stays within what one message may hold. */
const REPORTS_AT_ONCE = 200

export interface OwnDevice {
  readonly id: number
  readonly guid: string
  readonly name: string
  readonly client: MqttClient
  /** Publishes one report as any MQTT client would, and waits for the PUBACK. Returns its time, by default now. */
  report(topic: string, values: Values, at?: string): Promise<string>
  /** Publishes many, as a device does that was offline. */
  reportAll(topic: string, reports: readonly { readonly at: string; readonly values: Values }[]): Promise<void>
  say(msg: string): Promise<string>
  disconnect(): Promise<void>
}

interface AddedDevice {
  readonly device: Device
  readonly configuration: DeviceConfiguration
}

const admins = new WeakMap<RunningSystem, Promise<{ authorization: string }>>()

/** All journeys share one session: a sign-in for each would meet the limit. */
export function asAdmin(system: RunningSystem): Promise<{ authorization: string }> {
  const known = admins.get(system)
  if (known) return known
  const signedIn = login('admin@demo.example', system).then(({ accessToken }) => ({
    authorization: `Bearer ${accessToken}`,
  }))
  admins.set(system, signedIn)
  return signedIn
}

/** Adds a device by the API, as operators do, and takes the file that it connects with. */
export async function addDevice(
  system: RunningSystem,
  request: APIRequestContext,
  name: string,
  modelId = 1,
): Promise<AddedDevice> {
  const headers = await asAdmin(system)
  const customers = await request.get(`${system.httpUrl}/api/Customer/GetCustomerList`, { headers })
  const [{ id: customerId }] = await customers.json()
  const created = await request.post(`${system.httpUrl}/api/Device/CreateDevice`, {
    headers,
    data: { customerId, modelId, name },
  })
  expect(created.status()).toBe(200)
  const device = await created.json()
  const file = await request.post(`${system.httpUrl}/api/Device/DownloadConfiguration`, {
    headers,
    data: { id: device.id },
  })
  const configuration = await file.json()
  expect(configuration.mqttUrl).toBe(system.mqttUrl)
  return { device, configuration }
}

/** Adds a device by the API and connects it with the API's file, by an ordinary MQTT client. */
export async function connectOwnDevice(
  system: RunningSystem,
  request: APIRequestContext,
  name: string,
  /** A test may choose another address than the file's. */
  url = system.mqttUrl,
  modelId = 1,
): Promise<OwnDevice> {
  const { device, configuration } = await addDevice(system, request, name, modelId)
  const { guid, key } = configuration
  const client = await mqtt.connectAsync(url, { username: guid, password: key, protocolVersion: 4 })
  const publish = (topic: string, content: object) =>
    client.publishAsync(`v1/devices/${guid}/${topic}`, JSON.stringify(content), { qos: 1 })
  const report = async (topic: string, values: Values, at = new Date().toISOString()) => {
    await publish(`events/${topic}`, { at, values })
    return at
  }
  return {
    id: device.id,
    guid,
    name,
    client,
    report,
    reportAll: async (topic, reports) => {
      for (let from = 0; from < reports.length; from += REPORTS_AT_ONCE) {
        await publish(`events/${topic}`, reports.slice(from, from + REPORTS_AT_ONCE))
      }
    },
    say: async (msg) => {
      const at = new Date().toISOString()
      await publish('messages', { at, msg })
      return at
    },
    // It ends without a DISCONNECT, as a device without power: one that says goodbye may only have nothing to report.
    disconnect: () => client.endAsync(true),
  }
}
