import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DeviceId } from '#domain/ids.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { bundleAgent, bundleLauncher } from '#tools/releaseBundle.ts'
import { makeRelease, newReleaseKey } from '#tools/releaseFile.ts'
import { addCustomer, addUser, openSession } from '../callers.ts'
import { freshDatabase, runFolder } from '../database/freshDatabase.ts'
import { askServer, startWholeServer } from './wholeServer.ts'

interface Request {
  readonly query?: Record<string, string | number>
  readonly body?: unknown
}

const VERSION = '9.8.7'

/** Starts a server, and a totem's released client by the launcher, with the totem's own file. */
export async function startReleasedTotem(own: object) {
  const database = await freshDatabase()
  const owner = openPool(database.ownerUrl, { maximumConnections: 2, name: 'test owner' })
  const server = await startWholeServer(database)
  const token = await openSession(owner, await addUser(owner, { username: 'admin@staff.example', functions: [1] }))
  const ask = (path: string, { query, body }: Request) =>
    askServer(server.localAddresses.httpUrl, path, {
      token,
      ...(query ? { query } : {}),
      ...(body ? { method: 'POST', body } : {}),
    })
  const created = { customerId: await addCustomer(owner, 'Ours'), modelId: 1, name: 'Totem' }
  const { id: deviceId } = (await ask('Device/CreateDevice', { body: created })).body as { id: DeviceId }
  const given = (await ask('Device/DownloadConfiguration', { query: { id: deviceId } })).body as object
  const folder = runFolder('released-totem')
  const inFolder = (name: string) => join(folder, name)
  const [launcher, first, file] = ['launcher.mjs', `wayside-client-${VERSION}.mjs`, 'device.json'].map(inFolder) as [
    string,
    string,
    string,
  ]
  writeFileSync(launcher, await bundleLauncher())
  writeFileSync(
    first,
    await makeRelease(Buffer.from((await bundleAgent(VERSION)).program), VERSION, newReleaseKey().key),
  )
  writeFileSync(file, JSON.stringify({ ...given, ...own }))
  const agent = spawn(process.execPath, [launcher, '--config', file, '--first', first])
  let said = ''
  for (const stream of [agent.stdout, agent.stderr]) stream.on('data', (text) => (said += text))

  return {
    owner,
    deviceId,
    ask,
    /** The output of its launcher and its client so far. */
    said: () => said,
    state: async () =>
      (await ask('Device/GetDeviceEvTypeState', { query: { deviceId } })).body as Record<string, unknown>,
    stop: async () => {
      agent.kill('SIGTERM')
      if (agent.exitCode === null) await once(agent, 'exit')
      await server.stop()
      await owner.end()
      await database.drop()
    },
  }
}

export type ReleasedTotem = Awaited<ReturnType<typeof startReleasedTotem>>
