import type { ServerResponse } from 'node:http'

/**
 * Waits in a queue whose first entry is called by whoever leaves.
 * @returns true when its place has come; false when it did not come in time, or the client has hung up
 */
export async function waitInQueue(
  waiting: Set<() => void>,
  response: ServerResponse,
  withinMs: number,
): Promise<boolean> {
  if (response.destroyed) return false
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const take = () => resolve(waiting.delete(take))
  const goAway = () => {
    if (waiting.delete(take)) resolve(false)
  }
  waiting.add(take)
  const timer = setTimeout(goAway, withinMs)
  response.once('close', goAway)
  const hasCome = await promise
  clearTimeout(timer)
  response.removeListener('close', goAway)
  return hasCome
}
