import { setTimeout as pause } from 'node:timers/promises'

/** A computer without power for this long has lost all of its state. */
const OFF_FOR_MS = 3000

/**
 * Switches off, and on again a while later, by this program: if it ends in between, the power stays off. An
 * instrument's own power cycle is better, if it has one.
 */
export async function powerCycle(off: () => Promise<void>, on: () => Promise<void>): Promise<void> {
  await off()
  await pause(OFF_FOR_MS)
  await on()
}
