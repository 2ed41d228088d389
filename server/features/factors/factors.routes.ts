import {
  addAuthenticator,
  getNewAuthenticator,
  getStepUpWays,
  listFactors,
  removeFactor,
  renewRecoveryCodes,
  stepUp,
} from '#contract/http/factors/factors.ts'
import { type Route, route } from '#server/http/call/route.ts'
import type { FactorService } from './factors.service.ts'
import type { StepUp } from './stepUp.service.ts'

export const factorRoutes = (factors: FactorService, prove: StepUp): readonly Route[] => [
  route(listFactors, ({ caller }) => factors.list(caller)),
  route(getNewAuthenticator, ({ caller }) => factors.newAuthenticator(caller)),
  route(addAuthenticator, async ({ body, caller, change }) => ({
    recoveryCodes: await factors.addAuthenticator(body, caller, change),
  })),
  route(removeFactor, async ({ body, caller, change }) => {
    await factors.remove(body.id, caller, change)
    return {}
  }),
  route(renewRecoveryCodes, async ({ caller, change }) => ({
    recoveryCodes: await factors.renewRecoveryCodes(caller, change),
  })),
  route(getStepUpWays, async ({ caller }) => ({ ways: await factors.ways(caller) })),
  route(stepUp, async ({ body, caller, change }) => {
    await prove(body, caller, change)
    return {}
  }),
]
