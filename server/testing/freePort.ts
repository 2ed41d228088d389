import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** One that nobody has now, for programs that cannot choose by themselves. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
