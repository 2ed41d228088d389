import type { Given } from '#server/features/feature.ts'
import { auditLogRoutes } from './auditLog.routes.ts'
import { createAuditLogStore } from './auditLog.store.ts'
import { auditSealJob } from './auditSealJob.ts'
import { erasePersonsJob } from './erasePersonsJob.ts'

export const auditLogFeature = ({ db, log }: Pick<Given, 'db' | 'log'>) => ({
  routes: auditLogRoutes(createAuditLogStore(db)),
  jobs: [auditSealJob(log), erasePersonsJob(log)],
})
