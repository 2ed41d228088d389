// `npm run pictures` takes the pictures of docs/pictures again, from the demo.
import { buildConsole } from './console.mjs'
import { runPlaywright } from './tests/runners.ts'

await buildConsole()
const ended = await runPlaywright(['--config', 'pictures.config.ts', ...process.argv.slice(2)], { isLive: true })
if ('problem' in ended) console.error(ended.problem)
process.exitCode = 'problem' in ended ? 1 : ended.code
