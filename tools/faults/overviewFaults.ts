import type { Fault } from './fault.ts'

/** These faults concern what the Overview remembers and leads to (docs/decisions/0179). */
export const OVERVIEW_FAULTS: readonly Fault[] = [
  {
    name: 'A customer who had no devices then has a gap in its trend',
    file: 'server/features/insight/overview/overview.store.ts',
    replace: 'coalesce(one.${column}, 0)',
    by: 'one.${column}',
    foundBy: ['server/features/insight/overview/overview.test.ts'],
  },
  {
    name: 'A cell of the heat map opens an hour of the week in UTC',
    file: 'server/features/alerting/alerts/alertList.ts',
    replace: "lastYears(weekHour, query.timeZone ?? 'UTC', nowMs)",
    by: "lastYears(weekHour, 'UTC', nowMs)",
    foundBy: ['server/features/alerting/alerts/alertList.test.ts'],
  },
  {
    name: 'Hours of the week ignore that clocks change',
    file: 'domain/alerts/heatMap.ts',
    replace: 'beginMs + offsetMs - hourOnWallMs',
    by: 'beginMs - hourOnWallMs',
    foundBy: ['domain/alerts/heatMap.test.ts'],
  },
  {
    name: 'One call that fails is a lost server',
    file: 'console/app/ReachBanner.tsx',
    replace: 'if (mayPass(failure)) reach.lost()',
    by: 'reach.lost()',
    foundBy: ['console/app/ReachBanner.test.tsx'],
  },
  {
    name: 'What failed while the server was away is not read again',
    file: 'console/app/ReachBanner.tsx',
    replace: "predicate: ({ state }) => state.status === 'error'",
    by: 'predicate: () => false',
    foundBy: ['console/app/ReachBanner.test.tsx'],
  },
]
