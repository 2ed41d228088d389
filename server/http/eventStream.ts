import type { FastifyReply } from 'fastify'
import type { EventStream } from './call/route.ts'

/** A reader that is this far behind is dropped; it reconnects and starts from the present. */
const MOST_UNREAD_BYTES = 4 * 1024 * 1024

/** Turns the reply into a stream of server-sent events with its first event, or when `open` returns. */
export async function openEventStream(
  reply: FastifyReply,
  open: (stream: EventStream) => Promise<void>,
): Promise<FastifyReply> {
  const { raw } = reply
  let isOpen = false
  const start = () => {
    if (isOpen) return
    isOpen = true
    reply.hijack()
    const headers = Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined)
    raw.writeHead(200, {
      ...(Object.fromEntries(headers) as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      // Proxies that collect answers would hold events back.
      'x-accel-buffering': 'no',
    })
    raw.flushHeaders()
  }
  const stream: EventStream = {
    send: (eventName, data) => {
      if (raw.destroyed || raw.writableEnded) return
      start()
      raw.write(`event: ${eventName}\ndata: ${JSON.stringify(data)}\n\n`)
      if (raw.writableLength > MOST_UNREAD_BYTES) raw.destroy()
    },
    onClose: (act) => {
      raw.once('close', act)
    },
    close: () => {
      start()
      raw.end()
    },
  }
  await open(stream)
  start()
  return reply
}
