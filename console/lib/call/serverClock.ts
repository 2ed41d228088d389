/** The `Date` header counts whole seconds and is as old as its transfer, so less says nothing about a clock. */
const BELIEVED_DIFFERENCE_MS = 2_000
const HALF_A_SECOND_MS = 500

let aheadMs = 0

/** The times of readings are the server's; on a computer whose clock is minutes off every value would look old. */
export function learnServerTime(dateHeader: string | null, receivedMs: number): void {
  const serverMs = Date.parse(dateHeader ?? '') + HALF_A_SECOND_MS
  if (Number.isNaN(serverMs)) return
  const differenceMs = serverMs - receivedMs
  aheadMs = Math.abs(differenceMs) < BELIEVED_DIFFERENCE_MS ? 0 : differenceMs
}

/** It returns the present by the server's clock, in milliseconds. */
export const serverNowMs = (): number => Date.now() + aheadMs
