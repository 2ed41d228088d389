import { connect, createServer, type Server } from 'node:net'
import { json } from 'node:stream/consumers'

export type DatabaseRequest = Readonly<{ make: 'empty' } | { make: 'migrated'; keptDays: number } | { drop: string }>

export type MadeDatabase = Readonly<{ name: string; ownerUrl: string; applicationUrl: string }>

type DatabaseAnswer = Readonly<{ made?: MadeDatabase; problem?: string }>

/** Test files run in processes of their own; they use this socket to ask the one that holds the database. */
export function serveDatabaseRequests(
  path: string,
  answer: (request: DatabaseRequest) => Promise<MadeDatabase | undefined>,
) {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    json(socket)
      .then((request) => answer(request as DatabaseRequest))
      .then((made): DatabaseAnswer => ({ made }))
      .catch((error: unknown): DatabaseAnswer => ({ problem: error instanceof Error ? error.stack : String(error) }))
      .then((reply) => socket.end(JSON.stringify(reply)))
      .catch(() => socket.destroy())
    socket.on('error', () => {})
  })
  return new Promise<Server>((resolve, reject) => {
    server.on('error', reject).listen(path, () => resolve(server))
  })
}

export async function knock(path: string, request: DatabaseRequest): Promise<MadeDatabase | undefined> {
  const socket = connect({ path, allowHalfOpen: true })
  socket.end(JSON.stringify(request))
  const { made, problem } = (await json(socket)) as DatabaseAnswer
  if (problem !== undefined) throw new Error(`No test database: ${problem}`)
  return made
}
