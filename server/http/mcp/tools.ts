import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { AuditAction, Call } from '#contract/call/call.ts'
import { commandNameOf } from '#contract/call/commandNames.ts'
import { isInScopes, scopeOfCall } from '#contract/call/tokenScopes.ts'
import { CALLS } from '#contract/http/table.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import type { Caller } from '#server/http/call/caller.ts'

/** A call together with the tool that an assistant sees. */
export interface CallTool {
  readonly call: Call
  readonly tool: Tool
}

/** These actions remove or replace something, or make a device act; the others only add. */
const DESTRUCTIVE: readonly AuditAction[] = ['Delete', 'Update', 'Command', 'Download']
/** Repeating these actions changes no more than the first time. */
const IDEMPOTENT: readonly AuditAction[] = ['Delete', 'Update']

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

/** Keys of devices must not enter a conversation; files, streams and whole exports do not fit into one. */
const isForAssistants = (call: Call) => {
  const scope = scopeOfCall(call)
  return scope !== undefined && scope !== 'devices.keys' && call.answersWith === undefined
}

const CALL_TOOLS: readonly CallTool[] = CALLS.filter(isForAssistants).map((call) => ({
  call,
  tool: toolOf(call),
}))

/** Lists the tools that the token may use at this moment. */
export const toolsFor = (caller: Caller): readonly CallTool[] =>
  CALL_TOOLS.filter(({ call }) => isAllowed(call.permission, caller) && isInScopes(call, caller.apiToken?.scopes ?? []))
