// `npm run build` builds the console for `npm run serve`.
import { buildConsole } from './console.mjs'
import { installPackages } from './install.mjs'

await installPackages()
await buildConsole({ evenIfFresh: true })
