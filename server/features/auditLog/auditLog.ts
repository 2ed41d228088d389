import type { Given } from '../feature.ts'
import { auditLogRoutes } from './auditLog.routes.ts'
import { createAuditLogStore } from './auditLog.store.ts'
import { auditSealJob } from './auditSealJob.ts'

export const auditLogFeature = ({ db, log }: Pick<Given, 'db' | 'log'>) => ({
  routes: auditLogRoutes(createAuditLogStore(db)),
  jobs: [auditSealJob(log)],
})
