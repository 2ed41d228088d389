import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** The system may give a port again as soon as it is closed, and a caller of two needs two. */
const given = new Set<number>()

/** Returns a free port for programs that cannot choose one; this process never gets the same twice. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  if (given.has(port)) return freePort()
  given.add(port)
  return port
}
