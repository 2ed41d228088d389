import type { Fault } from './fault.ts'

/** Of what is only looked at when everything else is lost. */
export const BACKUP_FAULTS: readonly Fault[] = [
  {
    name: 'A copy that is cut off between two chunks is taken for a whole one',
    file: 'server/backup/sealedFile.ts',
    replace: '      if (length.length < 4 || given.length < PROOF_BYTES) {',
    by: '      if (length.length === 0 && bodyBytes === 0) return\n      if (length.length < 4 || given.length < PROOF_BYTES) {',
    foundBy: ['server/backup/restoreCopy.test.ts'],
  },
  {
    name: 'What is restored begins before all of it was proven',
    file: 'server/backup/layCopy.ts',
    replace: '  await checkSeals(choice.copy.folder, wish.key)\n',
    by: '',
    foundBy: ['server/backup/restoreCopy.test.ts'],
  },
  {
    name: 'Pieces of the log behind a gap are played',
    file: 'server/backup/copyNames.ts',
    replace: '    if (piece.from > reached) break\n',
    by: '',
    foundBy: ['server/backup/logStream.test.ts'],
  },
  {
    name: 'The database lets go of log that is not on the disk of the backups',
    file: 'server/backup/logStream.ts',
    replace: 'message.writeBigInt64BE(this.#pieces.kept, at)',
    by: 'message.writeBigInt64BE(this.#pieces.reached, at)',
    foundBy: ['server/backup/logStream.test.ts'],
  },
  {
    name: 'Old copies go although the one that is left is damaged',
    file: 'server/backup/retention.ts',
    replace:
      '  if (obsolete.copies.length > 0 && obsolete.oldestKept) await checkSeals(obsolete.oldestKept.folder, key)\n',
    by: '',
    foundBy: ['server/backup/restoreCopy.test.ts'],
  },
]
