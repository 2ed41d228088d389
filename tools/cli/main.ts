// `npm run cli -- devices list --dark --json` makes every call that API tokens may make, from the table of calls.
import { readFileSync } from 'node:fs'
import type { Call } from '#contract/call/call.ts'
import { commandNameOf } from '#contract/call/commandNames.ts'
import { CLIENT_CALLS, waysOf } from '../client/makeClient.ts'
import { createCaller, WaysideError } from '../client/runtime.ts'
import { answerText } from './answerText.ts'
import { inputFrom, UsageError, usageOf } from './cliOptions.ts'

/** `refused` is a server's refusal, `denied` an invalid token or a missing scope, and `away` no answer. */
const EXIT = { refused: 1, usage: 2, denied: 3, away: 4 } as const

const USAGE = `Usage: npm run cli -- NOUN VERB [--option value …] [--json] [--server URL] [--token-file FILE]
  npm run cli -- devices list --dark --json
  npm run cli -- devices                    (what can be done with devices)
  npm run cli -- devices list --help        (its options)

  WAYSIDE_URL    where the server is, unless --server says it; default: http://127.0.0.1:8080
  WAYSIDE_TOKEN  an API token, unless --token-file names a file that holds one

Ends with 0 when it is done, 1 when the server refused it, 2 when it was not understood, 3 when the token may not,
4 when nobody answered.`

const commands = CLIENT_CALLS.map((call) => ({ call, ...commandNameOf(call) }))

function listText(noun: string): string {
  const found = commands.filter((command) => command.noun === noun)
  if (found.length === 0) {
    const nouns = [...new Set(commands.map((command) => command.noun))].sort()
    throw new UsageError(`There is nothing called "${noun}". There are: ${nouns.join(', ')}.`)
  }
  return found.map(({ verb, call }) => `${noun} ${verb}  ${call.summary}`).join('\n')
}

function takeOwn(words: readonly string[]) {
  const left = [...words]
  const flag = (name: string) => {
    const at = left.indexOf(name)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  }
  const value = (name: string) => {
    const at = left.indexOf(name)
    if (at < 0) return undefined
    const [, given] = left.splice(at, 2)
    if (given === undefined) throw new UsageError(`${name} needs a value.`)
    return given
  }
  const address = value('--server') ?? process.env.WAYSIDE_URL ?? 'http://127.0.0.1:8080'
  return { address, tokenFile: value('--token-file'), isJson: flag('--json'), isHelp: flag('--help'), left }
}

const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

function checkedAddress(address: string): string {
  if (!URL.canParse(address)) throw new UsageError(`"${address}" is no address.`)
  const { protocol, hostname } = new URL(address)
  if (protocol === 'https:' || (protocol === 'http:' && LOCAL.test(hostname))) return address
  throw new UsageError(`${address} is not reached by https: whoever listens on the way would have the token.`)
}

function tokenFrom(file: string | undefined): string {
  const token = file === undefined ? process.env.WAYSIDE_TOKEN : readTokenFile(file)
  if (token?.trim()) return token.trim()
  throw new UsageError('There is no API token: set WAYSIDE_TOKEN, or name a file with --token-file.')
}

function readTokenFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new UsageError(`${file} cannot be read.`)
  }
}

async function run(words: readonly string[]): Promise<string> {
  const { address, tokenFile, isJson, isHelp, left } = takeOwn(words)
  const [noun, verb, ...typed] = left
  if (noun === undefined) return USAGE
  if (verb === undefined) return listText(noun)
  const call: Call | undefined = commands.find((one) => one.noun === noun && one.verb === verb)?.call
  if (call === undefined) throw new UsageError(`"${noun} ${verb}" is nothing that can be done.\n\n${listText(noun)}`)
  if (isHelp) return usageOf(call)
  const input = inputFrom(call, typed)
  const client = createCaller(waysOf([call]), { address: checkedAddress(address), token: tokenFrom(tokenFile) })
  const answer = await client.call(call.path, input)
  return isJson ? JSON.stringify(answer, undefined, 2) : answerText(answer)
}

function exitOf({ status }: WaysideError): number {
  if (status === 401 || status === 403) return EXIT.denied
  return status === 0 || status >= 500 ? EXIT.away : EXIT.refused
}

try {
  console.log(await run(process.argv.slice(2)))
} catch (error) {
  if (error instanceof UsageError) {
    console.error(error.message)
    process.exitCode = EXIT.usage
  } else if (error instanceof WaysideError) {
    console.error(`${error.message} (${error.code})`)
    process.exitCode = exitOf(error)
  } else throw error
}
