// `npm test` checks everything, from a fresh clone on.
import { programPath, runProgram } from './children.mjs'
import { installPackages } from './install.mjs'

await installPackages()
process.exitCode = await runProgram(programPath('tools/tests/main.ts'), process.argv.slice(2))
