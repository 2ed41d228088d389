// `node tools/run.mjs PROGRAM.ts …` runs one of our programs under the Node.js that runs TypeScript.
import { programPath, runProgram } from './children.mjs'
import { giveUp } from './node24.mjs'

const [program, ...programArguments] = process.argv.slice(2)
if (program === undefined) giveUp('Which program? node tools/run.mjs PROGRAM.ts …')
process.exitCode = await runProgram(programPath(program), programArguments)
