import fastify, { type FastifyInstance } from 'fastify'
import { NO_SCHEMAS } from './noSchemas.ts'
import { type OperationsDeps, registerOperations } from './operations.ts'

const REQUEST_TIMEOUT_MS = 10_000

/** Serves health and metrics alone, on a private port that answers even when the main server hangs. */
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
