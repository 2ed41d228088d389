import type { Fault } from './fault.ts'

/** These faults concern kinds of conditions, what they apply to, and those on time. */
export const CONDITION_FAULTS: readonly Fault[] = [
  {
    name: 'A level of its own to be over at is taken for the one that raises',
    file: 'domain/alerts/fold/conditionJudge.ts',
    replace: '  return wasTrue ? TRUE : PERHAPS_FALSE',
    by: '  return FALSE',
    foundBy: ['domain/alerts/fold/conditionJudge.test.ts'],
  },
  {
    name: 'A narrower condition stands beside the wider one that it replaces',
    file: 'server/telemetry/alerts/conditionPlaces.ts',
    replace: '      if (one.overridesId === undefined) return !narrowest.has(one.id)',
    by: '      if (one.overridesId === undefined) return true',
    foundBy: ['server/telemetry/alerts/conditionPlaces.test.ts'],
  },
  {
    name: "The server's own absence counts as silence of its devices",
    file: 'domain/alerts/fold/waiting.ts',
    replace: '    if (outage.toMs <= atMs) continue',
    by: '    if (outage.toMs > atMs) continue',
    foundBy: ['server/darkness/waiting/waitingJob.test.ts'],
  },
  {
    name: 'Light of which nothing is known ends darkness',
    file: 'server/darkness/waiting/waitingEnds.ts',
    replace: "  if (!now?.light || now.light === 'unknown' || now.light === 'unplanned') return undefined",
    by: "  if (!now?.light || now.light === 'unplanned') return undefined",
    foundBy: ['server/darkness/waiting/waitingJob.test.ts'],
  },
  {
    name: 'A batch that had too few numbers for its alerts is acknowledged and forgotten',
    file: 'server/telemetry/write/IngestShard.ts',
    replace: 'await this.#deps.rules.refresh().catch(() => undefined)\n        continue',
    by: 'await this.#deps.rules.refresh().catch(() => undefined)\n        return true',
    foundBy: ['server/telemetry/alerts/manyAlerts.test.ts'],
  },
]
