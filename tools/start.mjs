// `npm start`: from a fresh clone to the demo.
import { refuseOldNode } from './node24.mjs'

refuseOldNode()

const { installPackages } = await import('./install.mjs')
const { buildConsole } = await import('./console.mjs')
const { isStopping, runServer } = await import('./children.mjs')

await installPackages()
await buildConsole()
const code = await runServer(['--demo', ...process.argv.slice(2)])
process.exitCode = isStopping() && code === 130 ? 0 : code
