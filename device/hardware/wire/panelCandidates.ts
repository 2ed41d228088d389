import type { Candidate, Driver } from '../driver.ts'
import { listeningAt } from './listeningAt.ts'

/** A panel may be wherever its port is open, and at each serial port. */
export const panelCandidates =
  (usualPort: number): NonNullable<Driver['probe']> =>
  async (around, signal): Promise<readonly Candidate[]> => {
    const places = [...(await listeningAt(around, usualPort, signal)), ...around.serialPorts.map((path) => ({ path }))]
    return places.map((options) => ({ topic: 'display', options }))
  }
