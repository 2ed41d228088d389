import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { z } from 'zod'
import type { Call } from '#contract/call/call.ts'
import { scopeOfCall } from '#contract/call/tokenScopes.ts'
import { CALLS } from '#contract/http/table.ts'
import type { CallWay } from './runtime.ts'
import { type JsonSchema, typeText } from './typeText.ts'

const HERE = new URL('./', import.meta.url)
const textOf = (name: string) => readFileSync(new URL(name, HERE), 'utf8')

/** The client has these calls: a program makes them with an API token, and waits for their answer. */
export const CLIENT_CALLS = CALLS.filter(
  ({ answersWith, ...call }) =>
    scopeOfCall(call) !== undefined && answersWith !== 'event-stream' && answersWith !== 'pdf',
)

const wayOf = ({ method, changes }: Call): CallWay => (method === 'POST' ? 'POST' : changes ? 'GET as POST' : 'GET')

export const waysOf = (calls: readonly Call[]): Readonly<Record<string, CallWay>> =>
  Object.fromEntries(calls.map((call) => [call.path, wayOf(call)]))

const schemaOf = (schema: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }) as JsonSchema

function partText(name: 'query' | 'body', schema: z.ZodType): string {
  const json = schemaOf(schema, 'input')
  const isObject = json.type === 'object'
  if (isObject && Object.keys(json.properties ?? {}).length === 0) return ''
  const mayBeAbsent = isObject && (json.required ?? []).length === 0
  return `readonly ${name}${mayBeAbsent ? '?' : ''}: ${typeText(json)}${mayBeAbsent ? ' | undefined' : ''}; `
}

function callText(call: Call): string {
  const input = `${partText('query', call.query)}${partText('body', call.body)}readonly signal?: AbortSignal | undefined`
  const scope = scopeOfCall(call)
  const deps = scope === 'any' ? 'Any API token may.' : `Needs an API token for \`${scope}\`.`
  return `  /** ${call.summary.replaceAll('*/', '* /')} ${deps} */
  readonly ${JSON.stringify(call.path)}: { readonly input: { ${input} }; readonly answer: ${typeText(schemaOf(call.answer, 'output'))} }`
}

const typesText = () => `// Made from the contract of the server; see README.md.
export interface ClientOptions {
  /** The address of the server: \`https://wayside.example\`. */
  readonly address: string
  /** An API token. */
  readonly token: string
  /** How long an answer may take; by default half a minute. */
  readonly timeoutMs?: number
}

/** What the server refuses, by its code; \`unreachable\` when it did not answer. */
export declare class WaysideError extends Error {
  readonly code: string
  /** The status of the answer; 0 when there was none. */
  readonly status: number
  readonly retryAfterSeconds: number | undefined
}

export interface Calls {
${CLIENT_CALLS.map(callText).join('\n')}
}
export type CallPath = keyof Calls
export type InputOf<Path extends CallPath> = Calls[Path]['input']
export type AnswerOf<Path extends CallPath> = Calls[Path]['answer']

export interface Client {
  /** @throws WaysideError */
  call<Path extends CallPath>(
    path: Path,
    // biome-ignore lint/complexity/noBannedTypes: what needs nothing may be left out
    ...input: {} extends InputOf<Path> ? [input?: InputOf<Path>] : [input: InputOf<Path>]
  ): Promise<AnswerOf<Path>>
}

export declare function createClient(options: ClientOptions): Client
`

const INDEX = `import { ways } from './calls.js'
import { createCaller, WaysideError } from './runtime.js'

export { WaysideError }
export const createClient = (options) => createCaller(ways, options)
`

/** Writes the package into this folder, which is emptied first. */
export function makeClient(folder: string, version: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'dist'), { recursive: true })
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write(
    'package.json',
    `${JSON.stringify(
      {
        name: 'wayside-client',
        version,
        description: 'Calls of a Wayside server, typed from its contract.',
        license: 'MIT',
        type: 'module',
        engines: { node: '>=20.19' },
        exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
        files: ['dist'],
        sideEffects: false,
      },
      undefined,
      2,
    )}\n`,
  )
  write('README.md', textOf('README.md'))
  cpSync(new URL('../../LICENSE', HERE), join(folder, 'LICENSE'))
  write('dist/index.js', INDEX)
  write('dist/index.d.ts', typesText())
  write('dist/calls.js', `export const ways = ${JSON.stringify(waysOf(CLIENT_CALLS))}\n`)
  write('dist/runtime.js', stripTypeScriptTypes(textOf('runtime.ts')))
}
