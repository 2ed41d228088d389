import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { GUID, startTestAgent } from '#device/testing/testAgent.ts'
import { startTestBroker, until } from '#device/testing/testBroker.ts'
import { passTime } from '#testing/passTime.ts'

/** A path that delays, splits into small pieces and breaks every so often, like a mobile network. */
async function lossyPathTo(url: string) {
  const port = Number(new URL(url).port)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    const pass = (from: Socket, to: Socket) =>
      from.on('data', (data) => {
        for (let start = 0; start < data.length; start += 37) {
          const piece = data.subarray(start, start + 37)
          setTimeout(() => to.writable && to.write(piece), 20)
        }
      })
    pass(near, far)
    pass(far, near)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `mqtt://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
    close: () => server.close(),
  }
}

test('over a lossy link everything arrives, however often the connection breaks in the middle of a packet', async () => {
  const broker = await startTestBroker()
  const path = await lossyPathTo(broker.url)
  const { agent, stop } = startTestAgent({ url: path.url, lookEveryMs: 100_000 })
  const said: string[] = []
  for (let cut = 0; cut < 4; cut++) {
    await until(() => agent.isUp(), 'connected')
    for (let n = 0; n < 40; n++) {
      said.push(`line ${said.length}`)
      agent.say(said.at(-1) ?? '')
      await passTime(3, 'lines come one after the other')
    }
    path.cut()
  }
  const heard = () => new Set(broker.messages.map(({ msg }) => msg).filter((msg) => msg.startsWith('line ')))
  await until(() => heard().size === said.length, 'everything', 15_000)
  await stop()
  path.close()
  await broker.stop()
  expect([...heard()].sort()).toEqual([...said].sort())
  expect(broker.messages.filter(({ guid }) => guid !== GUID)).toEqual([])
  console.log(`${said.length} said over 4 breaks, ${broker.messages.length} acknowledged, 0 lost`)
})
