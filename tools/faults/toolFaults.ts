import type { Fault } from './fault.ts'

export const TOOL_FAULTS: readonly Fault[] = [
  {
    name: 'The archive lacks a folder that the server imports',
    file: 'tools/pack/payload.ts',
    replace: "  'device',\n",
    by: '',
    foundBy: ['tools/pack/payload.test.ts'],
  },
  {
    name: 'The law of a domain without dice lets Math.random pass',
    file: 'tools/laws/purityLaws.ts',
    replace: 'Math\\.random|',
    by: '',
    foundBy: ['tools/laws/laws.test.ts'],
  },
  {
    name: 'Features of the console may import each other',
    file: 'tools/laws/borderLaws.ts',
    replace: '^((?:server|console)\\/features\\/',
    by: '^((?:server)\\/features\\/',
    foundBy: ['tools/laws/laws.test.ts'],
  },
  {
    name: 'A runner that fails outside of its tests looks green',
    file: 'tools/tests/counts.ts',
    replace: 'exitCode !== 0 && counts.failed === 0',
    by: 'exitCode === 0 && counts.failed !== 0',
    foundBy: ['tools/tests/counts.test.ts'],
  },
  {
    name: 'Bodø lies in the sea',
    file: 'tools/ground/cutGround.ts',
    replace: 'px > TOWNS_FROM_PX ? []',
    by: 'px < TOWNS_FROM_PX ? []',
    foundBy: ['tools/ground/cutGround.test.ts'],
  },
]
