import type { Fault } from '../fault.ts'

export const DARKNESS_FAULTS: readonly Fault[] = [
  {
    name: 'Why a display is dark is told by commands of the customer before',
    file: 'server/darkness/now/commandFacts.ts',
    replace: ' and c.customer_id = d.customer_id',
    by: '',
    foundBy: [
      { file: 'server/features/insight/darkness/darkness.test.ts', title: 'never answered the customer before' },
    ],
  },
  {
    name: 'Who leads anew judges only whom it is told of',
    file: 'server/darkness/now/verdictJob.ts',
    replace: 'const isNewLead = lead !== over',
    by: 'const isNewLead = lead === undefined',
    foundBy: ['server/darkness/now/verdictJob.test.ts'],
  },
  {
    name: 'Devices of a run that failed keep their old verdict',
    file: 'server/darkness/now/verdictJob.ts',
    replace: 'if (elsewhere === undefined) told.add(deviceId)',
    by: 'if (elsewhere === undefined) told.delete(deviceId)',
    foundBy: ['server/darkness/now/verdictJob.test.ts'],
  },
  {
    name: 'A device under maintenance counts as dark',
    file: 'server/darkness/now/verdictRows.ts',
    replace: 'isExcused ? underMaintenance(maintenance.since) : wrong',
    by: 'wrong',
    foundBy: [{ file: 'server/darkness/now/verdictJob.test.ts', title: 'under maintenance' }],
  },
  {
    name: 'What is still dark is dark since its newest report',
    file: 'server/darkness/now/verdictRows.ts',
    replace: 'if (value === before && beforeSince) return beforeSince',
    by: 'if (value === before && beforeSince) return since',
    foundBy: ['server/darkness/now/verdicts.test.ts'],
  },
  {
    name: 'Silence is judged although devices can reach no process',
    file: 'server/darkness/waiting/outages.ts',
    replace: 'where listens and lease_until > now()',
    by: 'where lease_until > now()',
    foundBy: ['server/darkness/waiting/waitingJob.test.ts'],
  },
  {
    name: 'Light of which nothing is known ends darkness',
    file: 'server/darkness/waiting/waitingEnds.ts',
    replace: "  if (!now?.light || now.light === 'unknown' || now.light === 'unplanned') return undefined",
    by: "  if (!now?.light || now.light === 'unplanned') return undefined",
    foundBy: ['server/darkness/waiting/waitingJob.test.ts'],
  },
]
