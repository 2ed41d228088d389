import { PATIENCE, type Patience } from '#server/db/connect/patience.ts'

/** A quarter of the product's patience, in the same proportions, for tests that wait for its end. */
export const IMPATIENCE: Patience = Object.fromEntries(
  Object.entries(PATIENCE).map(([name, ms]) => [name, ms / 4]),
) as unknown as Patience
