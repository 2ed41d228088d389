import type { Fault } from './fault.ts'

/** These faults concern the present verdict of every device (docs/decisions/0165). */
export const VERDICT_FAULTS: readonly Fault[] = [
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
    replace: 'for (const deviceId of some) told.add(deviceId)',
    by: 'for (const deviceId of some) told.delete(deviceId)',
    foundBy: ['server/darkness/now/verdictJob.test.ts'],
  },
  {
    name: 'A verdict holds although what it stands on is too old',
    file: 'domain/darkness/verdictNow.ts',
    replace: 'if (oldFromMs >= now.getTime() && LOOKED_AT_NAMES.has(name))',
    by: 'if (oldFromMs < now.getTime() && LOOKED_AT_NAMES.has(name))',
    foundBy: ['domain/darkness/verdictNow.test.ts', 'server/darkness/now/verdictJob.test.ts'],
  },
  {
    name: 'What is still dark is dark since its newest report',
    file: 'server/darkness/now/verdictRows.ts',
    replace: 'if (value === before && beforeSince) return beforeSince',
    by: 'if (value === before && beforeSince) return since',
    foundBy: ['server/darkness/now/verdicts.test.ts'],
  },
  {
    name: 'Nobody is told of readings that turn a verdict',
    file: 'server/app/mqttServer.ts',
    replace: 'if (turned.size > 0) verdicts.tell(turned)',
    by: 'if (turned.size < 0) verdicts.tell(turned)',
    foundBy: ['server/darkness/now/verdicts.test.ts'],
  },
  {
    name: 'A reading turns a verdict only when its component is heard of for the first time',
    file: 'server/telemetry/write/batch.ts',
    replace: 'if (turned !== undefined) signs.push',
    by: 'if (turned !== undefined && track.watermarkMs === undefined) signs.push',
    foundBy: ['server/darkness/now/verdicts.test.ts'],
  },
  {
    name: 'Nobody is told of alerts, presence or wiring that turn a verdict',
    file: 'server/app/platform.ts',
    replace: 'onChanged: (ids) => verdicts.tell(ids)',
    by: 'onChanged: () => undefined',
    foundBy: ['server/darkness/now/verdicts.test.ts'],
  },
  {
    name: 'A walk looks at a field that is not read for it',
    file: 'domain/darkness/lookedAt.ts',
    replace: "  'router-relay': { relay_status: isZero },\n",
    by: '',
    foundBy: ['domain/darkness/verdictNow.test.ts'],
  },
  {
    name: 'The next customer reads of the visits of the one before',
    file: 'server/features/devices/status/deviceHealth.store.ts',
    replace: "lastVisitSql('customer_id = $3')",
    by: "lastVisitSql('$3::integer > 0')",
    foundBy: ['server/features/devices/status/deviceHealth.test.ts'],
  },
]
