import fastify, { type FastifyInstance } from 'fastify'
import { NO_SCHEMAS } from './noSchemas.ts'
import { type OperationsDeps, registerOperations } from './operations.ts'

const REQUEST_TIMEOUT_MS = 10_000

/**
 * Serves health and metrics alone, on a port that is not public: it answers without a balancer, and when the main
 * server hangs.
 */
export function buildOperationsServer(deps: OperationsDeps): FastifyInstance {
  const app = fastify({
    logger: false,
    schemaController: NO_SCHEMAS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
  })
  registerOperations(app, { ...deps, isOwnPort: true })
  return app
}
