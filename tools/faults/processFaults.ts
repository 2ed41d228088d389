import type { Fault } from './fault.ts'

export const PROCESS_FAULTS: readonly Fault[] = [
  {
    name: 'A process without jobs leads all the same',
    file: 'server/main.ts',
    replace: "if (config.roles.includes('jobs')) jobs = startJobSide",
    by: 'jobs = startJobSide',
    foundBy: ['server/roles.test.ts'],
  },
  {
    name: 'Devices reach a process that is none for devices',
    file: 'server/deviceSide.ts',
    replace: "    listens: config.roles.includes('gateway'),\n",
    by: '',
    foundBy: ['server/roles.test.ts'],
  },
  {
    name: 'Silence is judged although devices can reach no process',
    file: 'server/darkness/waiting/outages.ts',
    replace: 'where listens and lease_until > now()',
    by: 'where lease_until > now()',
    foundBy: ['server/darkness/waiting/waitingJob.test.ts'],
  },
]
