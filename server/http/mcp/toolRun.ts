import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { Call } from '#contract/call/call.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import { type CallOf, Refused } from './callOf.ts'
import type { Confirmations } from './confirmations.store.ts'
import { DARK_DISPLAYS, DARK_DISPLAYS_CALLS, darkDisplays } from './darkDisplays.ts'
import { type CallTool, CONFIRMATION, toolsFor } from './tools.ts'

/** Describes what a change would do, in the words of the product. */
export type ConsequenceOf = (call: Call, input: Readonly<Record<string, unknown>>, caller: Caller) => Promise<string>

export interface ToolDeps {
  readonly confirmations: Confirmations
  readonly consequenceOf: ConsequenceOf
}

const isDarkDisplaysFor = (tools: readonly CallTool[]) =>
  DARK_DISPLAYS_CALLS.every((needed) => tools.some(({ call }) => call === needed))

export function listTools(caller: Caller) {
  const tools = toolsFor(caller)
  return [...(isDarkDisplaysFor(tools) ? [DARK_DISPLAYS] : []), ...tools.map(({ tool }) => tool)]
}

/**
 * Returns everything as data: structured content, and the same as text for clients that know no other. Device names
 * appear only as values there, so that none can pose as words of the server.
 */
function asData(data: object, isError = false): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(data) }],
    structuredContent: data as Record<string, unknown>,
    ...(isError && { isError }),
  }
}

/** @returns undefined where the caller has no such tool */
export async function runTool(
  {
    name,
    given,
    caller,
  }: { readonly name: string; readonly given: Readonly<Record<string, unknown>>; readonly caller: Caller },
  call: CallOf,
  deps: ToolDeps,
): Promise<CallToolResult | undefined> {
  const tools = toolsFor(caller)
  try {
    if (name === DARK_DISPLAYS.name) {
      return isDarkDisplaysFor(tools) ? asData(await darkDisplays(given, call)) : undefined
    }
    const found = tools.find(({ tool }) => tool.name === name)
    if (!found) return undefined
    if (found.call.changes) return await changing(found, { given, caller }, call, deps)
    return asData({ answer: await call(found.call, given) })
  } catch (fault) {
    if (fault instanceof Refused) return asData(fault.body, true)
    if (fault instanceof CallError) return asData(fault.body, true)
    if (fault instanceof z.ZodError) {
      const [issue] = fault.issues
      return asData({ code: 'invalid_request', message: `${issue?.path.join('.')}: ${issue?.message}` }, true)
    }
    throw fault
  }
}

/** The first request returns the consequence and an id; the second, with that id, carries it out. */
async function changing(
  { call: asked, tool }: CallTool,
  { given, caller }: { readonly given: Readonly<Record<string, unknown>>; readonly caller: Caller },
  call: CallOf,
  { confirmations, consequenceOf }: ToolDeps,
): Promise<CallToolResult> {
  const { [CONFIRMATION]: id, ...input } = given
  const change = { tokenId: caller.apiToken?.id ?? 0, tool: tool.name, input }
  if (id === undefined) {
    readInput(asked, input)
    const consequence = await consequenceOf(asked, input, caller)
    const confirmation = await confirmations.open(change)
    return asData({ isDone: false, consequence, asked: input, confirmation, confirmWithinMinutes: 5 })
  }
  if (typeof id !== 'string' || !(await confirmations.take(id, change))) {
    const message = 'This confirmation is not for this change, was used already, or is over. Nothing was done.'
    return asData({ code: 'invalid_request', message }, true)
  }
  return asData({ isDone: true, answer: await call(asked, input) })
}

/**
 * Refuses invalid input before a confirmation is opened for it.
 * @throws z.ZodError
 */
function readInput({ method, query, body }: Call, input: object): void {
  ;(method === 'GET' ? query : body).parse(input)
}
