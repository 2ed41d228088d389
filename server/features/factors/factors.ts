import type { Given } from '../feature.ts'
import { createChallengeStore, expiredChallengesJob } from './challenges.store.ts'
import { createFactorProof } from './factorProof.ts'
import { factorRoutes } from './factors.routes.ts'
import { createFactorService } from './factors.service.ts'
import { createFactorStore } from './factors.store.ts'
import { createSignInFactor } from './signInFactor.ts'
import { createStepUp, type ProvePassword } from './stepUp.service.ts'

type Needs = Pick<Given, 'db' | 'clock'>

/** What people prove beside their password. Signing in asks for it, and gives it what proves a password. */
export function factorsFeature({ db, clock }: Needs) {
  const store = createFactorStore(db)
  const challenges = createChallengeStore(db)
  const { now } = clock
  const prove = createFactorProof({ store, now })
  return {
    ofSignIn: createSignInFactor({ challenges, prove }),
    forget: store.forget,
    with: ({ provePassword }: { readonly provePassword: ProvePassword }) => ({
      routes: factorRoutes(
        createFactorService({ store, challenges, now }),
        createStepUp({ store, proveFactor: prove, provePassword }),
      ),
      jobs: [clock.deleting(expiredChallengesJob)],
    }),
  }
}
