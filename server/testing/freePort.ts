import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** The system may give a port again as soon as it is closed, and whoever asks for two needs two. */
const given = new Set<number>()

/** One that nobody has now, for programs that cannot choose by themselves; in this process never the same twice. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  if (given.has(port)) return freePort()
  given.add(port)
  return port
}
