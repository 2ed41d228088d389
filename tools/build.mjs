// `npm run build`: the console, ready for `npm run serve`.
import { refuseOldNode } from './node24.mjs'

refuseOldNode()

const { installPackages } = await import('./install.mjs')
const { buildConsole } = await import('./console.mjs')

await installPackages()
await buildConsole({ evenIfFresh: true })
