import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { generate } from 'mqtt-packet'
import { answerMessages } from '../../frame/answerMessages.ts'
import { signIn } from '../../frame/signIn.ts'

/** Sends what costs the most to read, each connection at an even rate, and reads no more than it must. */

export interface AbuseQuestion {
  readonly kind: 'bodies' | 'payloads'
  readonly httpUrl: string
  readonly mqttUrl: string
  /** Each device has one connection. */
  readonly devices: readonly { readonly guid: string; readonly key: string }[]
  readonly connections: number
  readonly perSecond: number
  readonly seconds: number
}

export interface AbuseAnswer {
  readonly sent: number
  readonly answers: Readonly<Record<string, number>>
}

const KEYS_OF_A_BODY = 100_000
const KEYS_OF_A_PAYLOAD = 6000

const keys = (count: number) => Array.from({ length: count }, (_, n) => `"${n.toString(36)}":1`).join(',')
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

const BODY = Buffer.from(`{${keys(KEYS_OF_A_BODY)}}`)
const AT = '2026-11-20T10:00:00.000Z'
const PAYLOADS = [
  ['events/display', `{"at":"${AT}","values":{${keys(KEYS_OF_A_PAYLOAD)}}}`],
  ['events/display', `{"at":"${AT}","values":{"load":${nested(20)}}}`],
  ['events/display', `{"at":"${AT}","values":{${'"load":1,'.repeat(7000)}"load":2}}`],
  ['messages', nested(30_000)],
  ['replies/settings-1', `{"version":1,"results":[${'1,'.repeat(30_000)}1]}`],
] as const

/** Sends one body after the other; the server decides whether the connection outlives a refusal. */
function sendBody(httpUrl: string): Promise<string> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': BODY.length }
    const sending = request(`${httpUrl}/api/App/CheckPasswordLink`, { method: 'POST', headers }, (answer) => {
      answer.resume().once('end', () => resolve(String(answer.statusCode)))
    })
    sending.once('error', () => resolve('closed'))
    sending.end(BODY)
  })
}

type Send = (index: number) => Promise<string>

async function payloadSender(mqttUrl: string, device: AbuseQuestion['devices'][number]): Promise<Send> {
  const socket = await signIn(Number(new URL(mqttUrl).port), device.guid, device.key)
  let acknowledged: () => void = () => undefined
  socket.on('data', () => acknowledged())
  const packets = PAYLOADS.map(([topic, payload]) =>
    generate({
      cmd: 'publish',
      topic: `v1/devices/${device.guid}/${topic}`,
      payload,
      qos: 1,
      messageId: 1,
      dup: false,
      retain: false,
    }),
  )
  return (index) =>
    new Promise((resolve) => {
      acknowledged = () => resolve('acknowledged')
      socket.write(packets[index % packets.length] as Buffer)
    })
}

async function senderOf({ kind, httpUrl, mqttUrl, devices }: AbuseQuestion, index: number): Promise<Send> {
  const device = devices[index]
  if (kind === 'bodies' || device === undefined) return () => sendBody(httpUrl)
  return payloadSender(mqttUrl, device)
}

async function abuse(question: AbuseQuestion): Promise<AbuseAnswer> {
  const answers: Record<string, number> = {}
  let sent = 0
  const ends = performance.now() + question.seconds * 1000
  const connection = async (index: number) => {
    const send = await senderOf(question, index)
    for (let due = performance.now(); due < ends; due += 1000 / question.perSecond) {
      await sleep(Math.max(0, due - performance.now()))
      const answer = await send(sent++)
      answers[answer] = (answers[answer] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: question.connections }, (_, index) => connection(index)))
  return { sent, answers }
}

answerMessages<AbuseQuestion>(abuse, async () => undefined)
