import { setTimeout as pause } from 'node:timers/promises'

/** Without power for so long, a computer has forgotten everything. */
const OFF_FOR_MS = 3000

/**
 * Off, and on again a while later, by this program: one that ends in between leaves it off. What an instrument does by
 * itself is better, where it can.
 */
export async function powerCycle(off: () => Promise<void>, on: () => Promise<void>): Promise<void> {
  await off()
  await pause(OFF_FOR_MS)
  await on()
}
