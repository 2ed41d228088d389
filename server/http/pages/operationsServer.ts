import fastify, { type FastifyInstance } from 'fastify'
import { NO_SCHEMAS } from './noSchemas.ts'
import { type OperationsDeps, registerOperations } from './operations.ts'

const REQUEST_TIMEOUT_MS = 10_000

/** Health and numbers alone, on a port that is not meant for the public: behind no balancer, and whatever hangs elsewhere. */
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
