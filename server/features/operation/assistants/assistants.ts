import type { Given } from '#server/features/feature.ts'
import { createConfirmations } from '#server/http/mcp/confirmations.store.ts'
import { createConsequences } from './consequences.ts'

type Deps = Pick<Given, 'db' | 'addresses'> & Parameters<typeof createConsequences>[0]

export const assistantsFeature = ({ db, addresses, ...deps }: Deps) => ({
  ownUrl: () => addresses().httpUrl,
  confirmations: createConfirmations(db),
  consequenceOf: createConsequences(deps),
})
