import type { UserId } from '#domain/ids.ts'
import type { Given } from '#server/features/feature.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { unansweredStepUpsJob } from '#server/http/call/heldRefusals.store.ts'
import { createChallengeStore, expiredChallengesJob } from './challenges.store.ts'
import { createFactorAdditions } from './factorAdditions.ts'
import { createFactorProof } from './factorProof.ts'
import { factorRoutes } from './factors.routes.ts'
import { createFactorService } from './factors.service.ts'
import { createFactorStore } from './factors.store.ts'
import { createPasskeyProof } from './passkeyProof.ts'
import { createPasskeyService } from './passkeys.service.ts'
import { createPasskeyStore } from './passkeys.store.ts'
import { relyingPartyOf } from './relyingParty.ts'
import { createSignInFactor } from './signInFactor.ts'
import { createStepUp, type ProvePassword } from './stepUp.service.ts'

type Deps = Pick<Given, 'db' | 'clock' | 'config' | 'addresses' | 'cipher'>

export function factorsFeature({ db, clock, config, addresses, cipher }: Deps) {
  const store = createFactorStore(db, cipher)
  const keys = createPasskeyStore(db)
  const challenges = createChallengeStore(db, cipher)
  const { now } = clock
  const relyingParty = () => relyingPartyOf(addresses().httpUrl, config.publicUrl !== undefined)
  const proveCode = createFactorProof({ store, now })
  const passkeys = createPasskeyProof({ store: keys, relyingParty })
  const additions = createFactorAdditions(store)
  return {
    ofSignIn: createSignInFactor({ transaction: store.transaction, challenges, additions, now, proveCode, passkeys }),
    forget: (transaction: Tx, userId: UserId) => store.forget(userId, transaction),
    with: ({ provePassword }: { readonly provePassword: ProvePassword }) => ({
      routes: factorRoutes({
        factors: createFactorService({ store, challenges, additions, passkeys, relyingParty, now }),
        passkeys: createPasskeyService({ store, passkeys: keys, challenges, additions, relyingParty }),
        stepUp: createStepUp({ store, challenges, proveCode, passkeys, provePassword }),
      }),
      jobs: [clock.deleting(expiredChallengesJob), unansweredStepUpsJob],
    }),
  }
}
