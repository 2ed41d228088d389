import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { AuditAction, Call } from '#contract/call/call.ts'
import { commandNameOf } from '#contract/call/commandNames.ts'
import { isInScopes, scopeOfCall } from '#contract/call/tokenScopes.ts'
import { CALLS } from '#contract/http/table.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import type { Caller } from '#server/http/call/caller.ts'

/** A call as an assistant has it. */
export interface CallTool {
  readonly call: Call
  readonly tool: Tool
}

/** What takes something away, or makes a device do something; the rest adds, or says anew how something is to be. */
const DESTRUCTIVE: readonly AuditAction[] = ['Delete', 'Update', 'Command', 'Download']
/** Saying it twice changes no more than saying it once. */
const IDEMPOTENT: readonly AuditAction[] = ['Delete', 'Update']

/** Must be confirmed by the id that the first answer gives. */
export const CONFIRMATION = 'confirmation'

const TOLD_FIRST =
  'Changes something. Asked without `confirmation` it does nothing and answers what would happen, and an id; show that to the person you work for, and ask again with the same arguments and the id only when they agree.'

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, object>>
  readonly required?: readonly string[]
}

function inputSchema({ query, body, changes }: Call): Tool['inputSchema'] {
  const [asked, sent] = [query, body].map(
    (part) => z.toJSONSchema(part, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as ObjectSchema,
  )
  const confirmation = { type: 'string', description: 'The id of the answer that said what would happen.' }
  return {
    type: 'object',
    properties: {
      ...asked?.properties,
      ...sent?.properties,
      ...(changes && { [CONFIRMATION]: confirmation }),
    },
    required: [...(asked?.required ?? []), ...(sent?.required ?? [])],
    additionalProperties: false,
  }
}

const toolNameOf = (call: Call): string => {
  const { noun, verb } = commandNameOf(call)
  return `${noun}_${verb}`.replaceAll('-', '_')
}

function toolOf(call: Call): Tool {
  const { changes } = call
  return {
    name: toolNameOf(call),
    description: changes ? `${call.summary} ${TOLD_FIRST}` : call.summary,
    inputSchema: inputSchema(call),
    annotations: {
      readOnlyHint: changes === undefined,
      destructiveHint: changes !== undefined && DESTRUCTIVE.includes(changes.action),
      idempotentHint: changes === undefined || IDEMPOTENT.includes(changes.action),
      openWorldHint: false,
    },
  }
}

/** Keys of devices are for nobody's conversation; files, streams and whole exports for none either. */
const isForAssistants = (call: Call) => {
  const scope = scopeOfCall(call)
  return scope !== undefined && scope !== 'devices.keys' && call.answersWith === undefined
}

/** Every tool that is a call. */
const CALL_TOOLS: readonly CallTool[] = CALLS.filter(isForAssistants).map((call) => ({
  call,
  tool: toolOf(call),
}))

/** Those that whoever comes by an API token may use at this moment. */
export const toolsFor = (caller: Caller): readonly CallTool[] =>
  CALL_TOOLS.filter(({ call }) => isAllowed(call.permission, caller) && isInScopes(call, caller.apiToken?.scopes ?? []))
