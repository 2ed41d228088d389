// `npm run serve`: the server alone, for real use.
import { giveUp, refuseOldNode } from './node24.mjs'

refuseOldNode()

const { isConsoleBuilt } = await import('./console.mjs')
const { isStopping, runServer } = await import('./children.mjs')

if (!isConsoleBuilt()) giveUp('The console is not built yet: run npm run build first.')
const code = await runServer(process.argv.slice(2))
process.exitCode = isStopping() && code === 130 ? 0 : code
