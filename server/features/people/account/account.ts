import type { Given } from '#server/features/feature.ts'
import { accountRoutes } from './account.routes.ts'
import { createPasswordService, type PasswordDeps } from './passwords.service.ts'
import { createPasswordStore } from './passwords.store.ts'
import { createSessionService } from './sessions.service.ts'
import { createSessionStore } from './sessions.store.ts'

type Deps = Pick<Given, 'db' | 'config'> & {
  readonly passwords: Omit<PasswordDeps, 'store' | 'endSessions'>
}

export function accountFeature({ db, config, passwords }: Deps) {
  const sessions = createSessionStore(db, { idleHours: config.sessionIdleHours })
  const service = createPasswordService({
    ...passwords,
    store: createPasswordStore(db),
    endSessions: (userId, allBut, transaction) => sessions.end(userId, { allBut }, transaction),
  })
  return { routes: accountRoutes(service, createSessionService(sessions)) }
}
