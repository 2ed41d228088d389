import type { Fault } from './fault.ts'

export const SETTING_FAULTS: readonly Fault[] = [
  {
    name: 'Who applies settings goes unseen over those that somebody has set meanwhile',
    file: 'server/features/devices/setup/completeSettings.ts',
    replace: '  refuseOvertaken(asked, row)\n',
    by: '',
    foundBy: [{ file: 'server/features/devices/setup/twoOperators.test.ts', title: 'told by whom' }],
  },
  {
    name: 'What somebody else applies while one edits is told by nobody',
    file: 'console/features/devices/setup/section/useSectionForm.ts',
    replace: 'now !== undefined && now.desiredAt !== (then?.desiredAt ?? null)',
    by: 'now !== undefined && then === undefined',
    foundBy: ['console/features/devices/setup/twoOperators.test.tsx'],
  },
  {
    name: 'Who saves details goes unseen over those that somebody has changed meanwhile',
    file: 'server/features/devices/details/changeDetails.ts',
    replace: 'if (fields.length === 0) return\n  const who',
    by: 'if (fields.length >= 0) return\n  const who',
    foundBy: [
      { file: 'server/features/devices/details/detailsTwoOperators.test.ts', title: 'is told who and both values' },
    ],
  },
  {
    name: 'A form of a record undoes by its next save what somebody else changed in it meanwhile',
    file: 'console/lib/form/useRecordForm.ts',
    replace: 'if (isDirty) rebase(initial, asOne)\n    else load(initial)',
    by: 'if (!isDirty) load(initial)',
    foundBy: [{ file: 'console/features/devices/details/twoOperators.test.tsx', title: 'is not undone by Save' }],
  },
  {
    name: 'What somebody sets while a bulk dialog is open is told by nobody',
    file: 'console/features/devices/list/bulk/bulkOvertaken.ts',
    replace: 'section.desiredAt === (was?.desiredAt ?? null) ? []',
    by: 'section.desiredAt !== null ? []',
    foundBy: [{ file: 'console/features/devices/list/bulk/BulkModal.test.tsx', title: 'told before Apply' }],
  },
  {
    name: 'A client that cannot restart its computer keeps the next means waiting',
    file: 'server/features/devices/commands/commands.store.ts',
    replace: "and not (name = 'computer.reboot' and state = 'refused')",
    by: '',
    foundBy: [{ file: 'server/features/devices/commands/commands.test.ts', title: 'too old to restart its computer' }],
  },
  {
    name: 'A computer that its client restarts goes on reporting meanwhile',
    file: 'device/hardware/pretend/wiring.ts',
    replace: "part.kind === 'computer' ? [part] : []",
    by: '[] as FeedPart[]',
    foundBy: [{ file: 'device/hardware/pretend/switching.test.ts', title: 'computer.reboot' }],
  },
  {
    name: 'A computer is restarted by the outermost thing that feeds it, with everything else',
    file: 'domain/darkness/restart.ts',
    replace: 'supplyOf(chain, key).find(',
    by: 'supplyOf(chain, key).findLast(',
    foundBy: ['domain/darkness/restart.test.ts'],
  },
]
