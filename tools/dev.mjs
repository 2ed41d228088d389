// `npm run dev` runs the demo: edits restart its server, and change its console in place.
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:net'
import { endProgram, isStopping, programPath, runServer } from './children.mjs'
import { installPackages } from './install.mjs'

const SERVER_SOURCES = ['server', 'domain', 'contract', 'device']

/** The port is chosen once: a restarted server comes back where the console looks for it. */
async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  await once(probe, 'close')
  return String(port)
}

/** The server answers these itself; all else is the console. */
const OF_SERVER = ['/api', '/status/', '/status-mail/', '/channel-mail/', '/inbound/']

async function startConsole(apiUrl) {
  const vite = await import('vite')
  const server = await vite.createServer({
    configFile: programPath('vite.config.ts'),
    logLevel: 'warn',
    server: { host: '127.0.0.1', proxy: Object.fromEntries(OF_SERVER.map((path) => [path, { target: apiUrl }])) },
  })
  await server.listen()
  return server
}

/** Runs the server until this program ends, and restarts it after each edit of its sources. */
async function keepServer(watcher) {
  const edits = new EventEmitter()
  let isEdited = false
  watcher.add(SERVER_SOURCES.map((folder) => programPath(folder)))
  watcher.on('change', (path) => {
    if (!isOfServer(path) || isEdited) return
    isEdited = true
    edits.emit('edit')
    endProgram()
  })
  while (!isStopping()) {
    isEdited = false
    const edited = once(edits, 'edit')
    await runServer(['--demo', ...process.argv.slice(2)])
    if (isStopping()) return
    if (!isEdited) console.log('The server has ended; it starts anew after the next edit.')
    await edited
  }
}

const isOfServer = (path) =>
  /\.ts$/.test(path) &&
  !/\.test\.ts$/.test(path) &&
  SERVER_SOURCES.some((folder) => path.startsWith(programPath(`${folder}/`)))

await installPackages()
process.env.WAYSIDE_HTTP_PORT ??= await freePort()
process.env.WAYSIDE_MQTT_PORT ??= await freePort()
const consoleServer = await startConsole(`http://127.0.0.1:${process.env.WAYSIDE_HTTP_PORT}`)
console.log(`Console with every edit at once: ${consoleServer.resolvedUrls.local[0]}`)
await keepServer(consoleServer.watcher)
await consoleServer.close()
process.exit(0)
