import type { FastifyReply } from 'fastify'
import type { EventStream } from '../call/route.ts'

/** A reader that is this far behind is dropped, or its events fill the memory; it reconnects at the present. */
const MOST_UNREAD_BYTES = 4 * 1024 * 1024
/** A reader that is behind for so long has gone silently; what it has not read must not stay in memory. */
const BEHIND_FOR_MS = 60_000
/** A reader that takes nothing would keep an ended stream open. */
const ENDS_WITHIN_MS = 5_000

const texts = new WeakMap<object, string>()

/** One event goes to many streams, which share its text: written for each of them it would fill the memory. */
export function eventText(data: object): string {
  const text = texts.get(data) ?? JSON.stringify(data)
  texts.set(data, text)
  return text
}

/**
 * Turns the reply into a stream of server-sent events. The headers go out with the first event, or when `open` returns.
 */
export async function openEventStream(
  reply: FastifyReply,
  open: (stream: EventStream) => Promise<void>,
): Promise<FastifyReply> {
  const { raw } = reply
  let isOpen = false
  let behindSinceMs: number | undefined
  const start = () => {
    if (isOpen) return
    isOpen = true
    reply.hijack()
    const headers = Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined)
    raw.writeHead(200, {
      ...(Object.fromEntries(headers) as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      // Proxies that buffer answers would hold events back.
      'x-accel-buffering': 'no',
    })
    raw.flushHeaders()
  }
  raw.on('drain', () => {
    behindSinceMs = undefined
  })
  const closers: (() => void)[] = []
  raw.once('close', () => {
    for (const act of closers) act()
  })
  const stream: EventStream = {
    send: (eventName, data) => {
      if (raw.destroyed || raw.writableEnded) return
      start()
      const isRead = raw.write(`event: ${eventName}\ndata: ${eventText(data)}\n\n`)
      const nowMs = performance.now()
      if (!isRead) behindSinceMs ??= nowMs
      const isTooLate = behindSinceMs !== undefined && nowMs - behindSinceMs > BEHIND_FOR_MS
      if (isTooLate || raw.writableLength > MOST_UNREAD_BYTES) raw.destroy()
    },
    onClose: (act) => {
      // The stream would otherwise write for ever to a reader that left while it was being opened.
      if (raw.closed) act()
      else closers.push(act)
    },
    close: () => {
      if (raw.destroyed || raw.writableEnded) return
      start()
      raw.end()
      const timer = setTimeout(() => raw.destroy(), ENDS_WITHIN_MS).unref()
      closers.push(() => clearTimeout(timer))
    },
  }
  await open(stream)
  start()
  return reply
}
