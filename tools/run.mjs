// `node tools/run.mjs PROGRAM.ts …`: one of our programs under the Node.js that runs TypeScript.
import { giveUp, refuseOldNode } from './node24.mjs'

refuseOldNode()

const { programPath, runProgram } = await import('./children.mjs')
const [program, ...programArguments] = process.argv.slice(2)
if (program === undefined) giveUp('Which program? node tools/run.mjs PROGRAM.ts …')
process.exitCode = await runProgram(programPath(program), programArguments)
