import type { FastifyServerOptions } from 'fastify'

/** The contract's schemas judge calls: those of the framework, and the library that would compile them, are not loaded. */
export const NO_SCHEMAS: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: {
    // Typed as what the library makes.
    buildValidator: (() => () => () => true) as never,
    buildSerializer: () => () => (value) => JSON.stringify(value),
  },
}
