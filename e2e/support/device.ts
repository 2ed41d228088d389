import { type APIRequestContext, expect } from '@playwright/test'
import mqtt, { type MqttClient } from 'mqtt'
import type { RunningSystem } from './system.ts'

export interface OwnDevice {
  readonly id: number
  readonly guid: string
  readonly name: string
  readonly client: MqttClient
  /** Publishes one report as any MQTT client would, and waits for the PUBACK. Answers its time, by default now. */
  report(topic: string, values: Record<string, number | string>, at?: string): Promise<string>
  /** The same with a message. */
  say(msg: string): Promise<string>
  disconnect(): Promise<void>
}

const adminTokens = new WeakMap<RunningSystem, Promise<string>>()

/** One session for all devices of a system: a sign-in for each would meet the limit of sign-ins. */
function adminToken(system: RunningSystem, request: APIRequestContext): Promise<string> {
  const known = adminTokens.get(system)
  if (known) return known
  const token = (async () => {
    const data = { username: 'admin@demo.example', password: system.password }
    const signedIn = await request.post('/api/App/Login', { data })
    expect(signedIn.status()).toBe(200)
    return (await signedIn.json()).accessToken as string
  })()
  adminTokens.set(system, token)
  return token
}

/** Adds a device by the API and connects it with the file that the API gives, by an ordinary MQTT client. */
export async function connectOwnDevice(
  system: RunningSystem,
  request: APIRequestContext,
  name: string,
  /** Other than the one in the file. */
  url = system.mqttUrl,
  modelId = 1,
): Promise<OwnDevice> {
  const headers = { authorization: `Bearer ${await adminToken(system, request)}` }
  // The demo may still be on its way in.
  const customers = await expect
    .poll(async () => (await request.get('/api/Customer/GetCustomerList', { headers })).json())
    .not.toEqual([])
    .then(async () => (await request.get('/api/Customer/GetCustomerList', { headers })).json())
  const created = await request.post('/api/Device/CreateDevice', {
    headers,
    data: { customerId: customers[0].id, modelId, name },
  })
  expect(created.status()).toBe(200)
  const device = await created.json()
  const file = await request.post('/api/Device/DownloadConfiguration', { headers, data: { id: device.id } })
  const { guid, key, mqttUrl } = await file.json()
  expect(mqttUrl).toBe(system.mqttUrl)
  const client = await mqtt.connectAsync(url, { username: guid, password: key, protocolVersion: 4 })
  const publish = async (topic: string, content: object, at = new Date().toISOString()) => {
    await client.publishAsync(`v1/devices/${guid}/${topic}`, JSON.stringify({ at, ...content }), { qos: 1 })
    return at
  }
  return {
    id: device.id,
    guid,
    name,
    client,
    report: (topic, values, at) => publish(`events/${topic}`, { values }, at),
    say: (msg) => publish('messages', { msg }),
    disconnect: () => client.endAsync(),
  }
}
