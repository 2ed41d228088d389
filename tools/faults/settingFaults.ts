import type { Fault } from './fault.ts'

export const SETTING_FAULTS: readonly Fault[] = [
  {
    name: 'Who applies settings goes unseen over those that somebody has set meanwhile',
    file: 'server/features/deviceSettings/completeWish.ts',
    replace: '  refuseOvertaken(asked, row)\n',
    by: '',
    foundBy: [{ file: 'server/features/deviceSettings/twoOperators.test.ts', title: 'told by whom' }],
  },
  {
    name: 'What somebody else applies while one edits is told by nobody',
    file: 'console/features/deviceSetup/useSectionForm.ts',
    replace: 'now !== undefined && now.desiredAt !== (then?.desiredAt ?? null)',
    by: 'now !== undefined && then === undefined',
    foundBy: ['console/features/deviceSetup/twoOperators.test.tsx'],
  },
  {
    name: 'A computer is restarted by the outermost thing that feeds it, with everything else',
    file: 'domain/darkness/restart.ts',
    replace: 'supplyOf(chain, key).find(',
    by: 'supplyOf(chain, key).findLast(',
    foundBy: ['domain/darkness/restart.test.ts'],
  },
]
