import type { Given } from '../feature.ts'
import { auditLogRoutes } from './auditLog.routes.ts'
import { createAuditLogStore } from './auditLog.store.ts'

export const auditLogFeature = ({ db }: Pick<Given, 'db'>) => ({ routes: auditLogRoutes(createAuditLogStore(db)) })
