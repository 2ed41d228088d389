import type { Fault } from './fault.ts'

export const TOOLS_FAULTS: readonly Fault[] = [
  {
    name: 'Features of the console may import each other',
    file: 'tools/architecture/borderRules.ts',
    replace: '^((?:server|console)\\/features\\/',
    by: '^((?:server)\\/features\\/',
    foundBy: ['tools/architecture/rules.test.ts'],
  },
  {
    name: 'The law of a domain without dice lets Math.random pass',
    file: 'tools/architecture/purityRules.ts',
    replace: 'Math\\.random|',
    by: '',
    foundBy: ['tools/architecture/rules.test.ts'],
  },
  {
    name: 'Bodø lies in the sea',
    file: 'tools/baseMap/cutBaseMap.ts',
    replace: 'px > TOWNS_FROM_PX ? []',
    by: 'px < TOWNS_FROM_PX ? []',
    foundBy: ['tools/baseMap/cutBaseMap.test.ts'],
  },
  {
    name: 'The archive lacks a folder that the server imports',
    file: 'tools/pack/payload.ts',
    replace: "  'domain',\n",
    by: '',
    foundBy: ['tools/pack/payload.test.ts'],
  },
  {
    name: 'The archive carries the client of devices, whose packages it lacks',
    file: 'tools/pack/payload.ts',
    replace: "  'server',\n",
    by: "  'server',\n  'device',\n",
    foundBy: ['tools/pack/payload.test.ts'],
  },
  {
    name: 'A runner that fails outside of its tests looks green',
    file: 'tools/tests/counts.ts',
    replace: 'exitCode !== 0 && counts.failed === 0',
    by: 'exitCode === 0 && counts.failed !== 0',
    foundBy: ['tools/tests/counts.test.ts'],
  },
]
