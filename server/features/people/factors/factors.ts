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
import type { Given } from '#server/features/feature.ts'
import { unansweredStepUpsJob } from '#server/http/call/heldRefusals.store.ts'
import { route } from '#server/http/call/route.ts'
import { expiredChallengesJob } from './challenges.store.ts'
import type { FactorParts } from './factorParts.ts'
import { forgetFactors } from './factors.store.ts'
import {
  addOwnAuthenticator,
  beginAuthenticator,
  listOwnFactors,
  removeOwnFactor,
  renewOwnCodes,
} from './ownFactors.ts'
import { addOwnPasskey, beginPasskey } from './ownPasskeys.ts'
import { relyingPartyOf } from './relyingParty.ts'
import { beginEnrolment, beginSecondFactor, enrol, proveSecondFactor } from './signInFactor.ts'
import { type ProvePassword, proveOnceMore, stepUpWays } from './stepUp.ts'

type Deps = Pick<Given, 'db' | 'clock' | 'config' | 'addresses' | 'cipher'>

export function factorsFeature({ db, clock, config, addresses, cipher }: Deps) {
  const relyingParty = () => relyingPartyOf(addresses().httpUrl, config.publicUrl !== undefined)
  const parts: FactorParts = { db, cipher, now: clock.now, relyingParty }
  return {
    /** Signing in asks for a second factor by these, after the right password. */
    ofSignIn: {
      begin: beginSecondFactor.bind(undefined, parts),
      prove: proveSecondFactor.bind(undefined, parts),
      beginEnrolment: beginEnrolment.bind(undefined, parts),
      enrol: enrol.bind(undefined, parts),
    },
    forget: forgetFactors,
    with: ({ provePassword }: { readonly provePassword: ProvePassword }) => ({
      routes: routesOf(parts, provePassword),
      jobs: [clock.deleting(expiredChallengesJob), unansweredStepUpsJob],
    }),
  }
}

const routesOf = (parts: FactorParts, provePassword: ProvePassword) => [
  route(listFactors, ({ caller }) => listOwnFactors(parts, caller)),
  route(getNewAuthenticator, ({ caller }) => beginAuthenticator(parts, caller)),
  route(addAuthenticator, async ({ body, caller, change }) => ({
    recoveryCodes: await addOwnAuthenticator(parts, body, caller, change),
  })),
  route(getNewPasskey, ({ caller }) => beginPasskey(parts, caller)),
  route(addPasskey, async ({ body, caller, change }) => ({
    recoveryCodes: await addOwnPasskey(parts, body, caller, change),
  })),
  route(removeFactor, async ({ body, caller, change }) => {
    await removeOwnFactor(parts, body.id, caller, change)
    return {}
  }),
  route(renewRecoveryCodes, async ({ caller, change }) => ({
    recoveryCodes: await renewOwnCodes(parts, caller, change),
  })),
  route(getStepUpWays, ({ caller }) => stepUpWays(parts, caller)),
  route(stepUp, async ({ body, caller, change }) => {
    await proveOnceMore(parts, provePassword, body, caller, change)
    return {}
  }),
]
