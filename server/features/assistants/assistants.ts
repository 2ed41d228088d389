import { createConfirmations } from '#server/http/mcp/confirmations.store.ts'
import type { Given } from '../feature.ts'
import { createConsequences } from './consequences.ts'

type Needs = Pick<Given, 'db' | 'addresses'> & Parameters<typeof createConsequences>[0]

/** What assistants are told and asked before they change something. */
export const assistantsFeature = ({ db, addresses, ...needs }: Needs) => ({
  ownUrl: () => addresses().httpUrl,
  confirmations: createConfirmations(db),
  consequenceOf: createConsequences(needs),
})
