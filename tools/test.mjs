// `npm test`: everything that must hold, from a fresh clone on.
import { refuseOldNode } from './node24.mjs'

refuseOldNode()

const { installPackages } = await import('./install.mjs')
const { programPath, runProgram } = await import('./children.mjs')

await installPackages()
process.exitCode = await runProgram(programPath('tools/tests/main.ts'), process.argv.slice(2))
