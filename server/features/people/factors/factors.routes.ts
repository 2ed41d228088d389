import {
  addAuthenticator,
  getNewAuthenticator,
  getStepUpWays,
  listFactors,
  removeFactor,
  renewRecoveryCodes,
  stepUp,
} from '#contract/http/people/factors.ts'
import { addPasskey, getNewPasskey } from '#contract/http/people/passkeys.ts'
import { type Route, route } from '#server/http/call/route.ts'
import type { FactorService } from './factors.service.ts'
import type { PasskeyService } from './passkeys.service.ts'
import type { StepUp } from './stepUp.service.ts'

interface Parts {
  readonly factors: FactorService
  readonly passkeys: PasskeyService
  readonly stepUp: StepUp
}

export const factorRoutes = ({ factors, passkeys, stepUp: prove }: Parts): readonly Route[] => [
  route(listFactors, ({ caller }) => factors.list(caller)),
  route(getNewAuthenticator, ({ caller }) => factors.newAuthenticator(caller)),
  route(addAuthenticator, async ({ body, caller, change }) => ({
    recoveryCodes: await factors.addAuthenticator(body, caller, change),
  })),
  route(getNewPasskey, ({ caller }) => passkeys.begin(caller)),
  route(addPasskey, async ({ body, caller, change }) => ({
    recoveryCodes: await passkeys.add(body, caller, change),
  })),
  route(removeFactor, async ({ body, caller, change }) => {
    await factors.remove(body.id, caller, change)
    return {}
  }),
  route(renewRecoveryCodes, async ({ caller, change }) => ({
    recoveryCodes: await factors.renewRecoveryCodes(caller, change),
  })),
  route(getStepUpWays, ({ caller }) => factors.ways(caller)),
  route(stepUp, async ({ body, caller, change }) => {
    await prove(body, caller, change)
    return {}
  }),
]
