import { createLineQueue } from '#device/hardware/composed/lineQueue.ts'
import type { Driver, Instrument } from '#device/hardware/driver.ts'
import type { EventTypeTopic } from '#domain/catalogue/eventTypes.ts'
import { readOptions } from '#domain/drivers/driverDescription.ts'

/** Opens an instrument as the agent would, with options as a person wrote them. */
export function openDriver(
  driver: Driver,
  given: Readonly<Record<string, unknown>>,
  part: { readonly topic: EventTypeTopic; readonly number?: number; readonly log?: (line: string) => void },
): Instrument {
  const read = readOptions(driver.description, given)
  if ('problem' in read) throw new Error(`${read.problem.field} ${read.problem.reason}`)
  const problem = driver.problem?.(read.options, part.topic)
  if (problem) throw new Error(`${problem.field} ${problem.reason}`)
  return driver.open(read.options, {
    topic: part.topic,
    number: part.number ?? 1,
    steadyMs: () => performance.now(),
    log: part.log ?? (() => undefined),
    inQueue: createLineQueue(),
  })
}

export const soon = () => AbortSignal.timeout(5000)
