import type { FaultKind, FaultSchedule } from '#contract/fleet.ts'
import { MINUTE_MS } from '#domain/units/time.ts'

function sinceStartMs(fault: FaultSchedule, atMs: number): number {
  const everyMs = fault.everyMinutes * MINUTE_MS
  const since = (atMs - fault.phaseMinutes * MINUTE_MS) % everyMs
  return since < 0 ? since + everyMs : since
}

export function isFaulty(faults: readonly FaultSchedule[], kind: FaultKind, atMs: number): boolean {
  return faults.some((fault) => fault.kind === kind && sinceStartMs(fault, atMs) < fault.forMinutes * MINUTE_MS)
}

/** Returns when the fault that is active at this moment began, if it lasts longer than this in all; else undefined. */
export function lastingSinceMs(
  faults: readonly FaultSchedule[],
  kind: FaultKind,
  atMs: number,
  longerThanMinutes: number,
): number | undefined {
  const lasting = faults.find((fault) => fault.forMinutes > longerThanMinutes && isFaulty([fault], kind, atMs))
  return lasting && atMs - sinceStartMs(lasting, atMs)
}

/** Returns 0 up to 1 for a fault that builds up and fades with the time constant `inertiaMs`. */
export function faultStrength(
  faults: readonly FaultSchedule[],
  kind: FaultKind,
  atMs: number,
  inertiaMs: number,
): number {
  let strongest = 0
  for (const fault of faults) {
    if (fault.kind !== kind) continue
    const since = sinceStartMs(fault, atMs)
    const lasts = fault.forMinutes * MINUTE_MS
    const built = 1 - Math.exp(-Math.min(since, lasts) / inertiaMs)
    const strength = since < lasts ? built : built * Math.exp(-(since - lasts) / inertiaMs)
    strongest = Math.max(strongest, strength)
  }
  return strongest
}

/** Returns the charge in percent of a battery that empties while there is no mains power and recharges afterwards. */
export function batteryChargePercent(
  faults: readonly FaultSchedule[],
  atMs: number,
  rates: { readonly drainPercentPerMinute: number; readonly fillPercentPerMinute: number; readonly lowest: number },
): number {
  let charge = 100
  for (const fault of faults) {
    if (fault.kind !== 'onBattery') continue
    const sinceMinutes = sinceStartMs(fault, atMs) / MINUTE_MS
    const drained = fault.forMinutes * rates.drainPercentPerMinute
    const filled = (fault.everyMinutes - fault.forMinutes) * rates.fillPercentPerMinute
    // If a period is too short to recharge fully, the charge varies between empty and what one period restores.
    const atStart = filled >= Math.min(drained, 100 - rates.lowest) ? 100 : Math.min(100, rates.lowest + filled)
    const emptied = (minutes: number) => Math.max(rates.lowest, atStart - minutes * rates.drainPercentPerMinute)
    const now =
      sinceMinutes < fault.forMinutes
        ? emptied(sinceMinutes)
        : Math.min(100, emptied(fault.forMinutes) + (sinceMinutes - fault.forMinutes) * rates.fillPercentPerMinute)
    charge = Math.min(charge, now)
  }
  return charge
}
