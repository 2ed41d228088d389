// `npm run build`: the console, ready for `npm run serve`.
import { buildConsole } from './console.mjs'
import { installPackages } from './install.mjs'

await installPackages()
await buildConsole({ evenIfFresh: true })
