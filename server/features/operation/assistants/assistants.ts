import type { Call } from '#contract/call/call.ts'
import type { Given } from '#server/features/feature.ts'
import type { Caller } from '#server/http/call/caller.ts'
import { createConfirmations } from '#server/http/mcp/confirmations.store.ts'
import { type ConsequenceParts, describeConsequence } from './consequences.ts'

type Deps = Pick<Given, 'db' | 'addresses'> & ConsequenceParts

export const assistantsFeature = ({ db, addresses, ...parts }: Deps) => ({
  ownUrl: () => addresses().httpUrl,
  confirmations: createConfirmations(db),
  consequenceOf: (call: Call, input: Readonly<Record<string, unknown>>, caller: Caller) =>
    describeConsequence(parts, call, input, caller),
})
