// `npm start` leads from a fresh clone to the demo.
import { isStopping, runServer } from './children.mjs'
import { buildConsole } from './console.mjs'
import { installPackages } from './install.mjs'

await installPackages()
await buildConsole()
const code = await runServer(['--demo', ...process.argv.slice(2)])
process.exitCode = isStopping() && code === 130 ? 0 : code
