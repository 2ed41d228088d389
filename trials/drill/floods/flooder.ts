import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerMessages } from '../../frame/answerMessages.ts'

/** Opens more than anybody needs, from another address of this machine, and says as little as it may. */

export type FloodQuestion =
  | { readonly kind: 'streams'; readonly httpUrl: string; readonly token: string; readonly count: number }
  | { readonly kind: 'silent'; readonly mqttUrl: string; readonly perSecond: number; readonly seconds: number }
  | { readonly kind: 'over' }

export interface FloodAnswer {
  /** Counts what is still open. */
  readonly open: number
}

const ADDRESS = '127.0.0.2'
const STREAMS_AT_ONCE = 8
const BURSTS_PER_SECOND = 20

const held = new Set<{ destroy(): void }>()

function openStream(httpUrl: string, token: string): Promise<void> {
  const body = JSON.stringify({ deviceIds: [], stateDeviceIds: [], overviews: [-1] })
  return new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': body.length,
    }
    const asking = request(`${httpUrl}/api/Live/Watch`, { method: 'POST', headers, localAddress: ADDRESS })
    held.add(asking)
    asking.once('response', (answer) => answer.once('data', resolve).resume())
    asking.once('error', resolve).once('close', () => {
      held.delete(asking)
      resolve()
    })
    asking.end(body)
  })
}

async function flood(question: FloodQuestion): Promise<FloodAnswer> {
  if (question.kind === 'streams') {
    for (let opened = 0; opened < question.count; opened += STREAMS_AT_ONCE) {
      await Promise.all(Array.from({ length: STREAMS_AT_ONCE }, () => openStream(question.httpUrl, question.token)))
    }
  } else if (question.kind === 'silent') {
    const port = Number(new URL(question.mqttUrl).port)
    const burst = question.perSecond / BURSTS_PER_SECOND
    const beginMs = performance.now()
    for (let n = 0; n < question.seconds * BURSTS_PER_SECOND; n++) {
      await sleep(Math.max(0, beginMs + (n * 1000) / BURSTS_PER_SECOND - performance.now()))
      for (let m = 0; m < burst; m++) {
        const socket = connect({ port, host: '127.0.0.1', localAddress: ADDRESS }).resume()
        held.add(socket)
        socket.on('error', () => undefined).once('close', () => held.delete(socket))
      }
    }
  } else {
    for (const one of held) one.destroy()
  }
  return { open: held.size }
}

answerMessages<FloodQuestion>(flood, async () => undefined)
