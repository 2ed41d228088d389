// `npm run serve` runs the server alone, for real use.
import { isStopping, runServer } from './children.mjs'
import { isConsoleBuilt } from './console.mjs'
import { giveUp } from './node24.mjs'

if (!isConsoleBuilt()) giveUp('The console is not built yet: run npm run build first.')
const code = await runServer(process.argv.slice(2))
process.exitCode = isStopping() && code === 130 ? 0 : code
