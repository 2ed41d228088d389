import type { Fault } from './fault.ts'

/** These faults show only when everything else is lost. */
export const BACKUP_FAULTS: readonly Fault[] = [
  {
    name: 'A copy that is cut off between two chunks is taken for a whole one',
    file: 'server/backup/seal/sealedFile.ts',
    replace: '      if (length.length < 4 || given.length < PROOF_BYTES) {',
    by: '      if (length.length === 0 && bodyBytes === 0) return\n      if (length.length < 4 || given.length < PROOF_BYTES) {',
    foundBy: ['server/backup/restore/restoreCopy.test.ts'],
  },
  {
    name: 'What is restored begins before all of it was proven',
    file: 'server/backup/restore/layCopy.ts',
    replace: '  await checkSeals(copy.folder, key).catch((error: unknown) => refuseDamaged(copy, wish, error))\n',
    by: '',
    foundBy: ['server/backup/restore/restoreCopy.test.ts'],
  },
  {
    name: 'Pieces of the log behind a gap are left out without a word',
    file: 'server/backup/restore/chooseCopy.ts',
    replace: '  if (fault !== undefined && !isEnough) throw',
    by: '  if (fault !== undefined && until && !isEnough) throw',
    foundBy: ['server/backup/log/logStream.test.ts', 'server/backup/copies/tampering.test.ts'],
  },
  {
    name: 'A piece of the log may have the name of another one',
    file: 'server/backup/log/logProof.ts',
    replace: '  } else if (facts.name !== name) {',
    by: '  } else if (facts.name === undefined) {',
    foundBy: ['server/backup/copies/tampering.test.ts'],
  },
  {
    name: 'The newest pieces of the log may be missing',
    file: 'server/backup/log/logEnd.ts',
    replace: '  if (!found) return `The end',
    by: '  if (!found) return undefined && `The end',
    foundBy: ['server/backup/copies/tampering.test.ts'],
  },
  {
    name: 'A restore believes that PostgreSQL played all of the log',
    file: 'server/backup/log/replayed.ts',
    replace: '  return !isRecord || at + bytes <= last.to',
    by: '  return false && at + bytes <= last.to && !isRecord',
    foundBy: ['server/backup/restore/olderBackups.test.ts'],
  },
  {
    name: 'The database lets go of log that is not on the disk of the backups',
    file: 'server/backup/log/logStream.ts',
    replace: 'message.writeBigInt64BE(this.#pieces.kept, at)',
    by: 'message.writeBigInt64BE(this.#pieces.reached, at)',
    foundBy: ['server/backup/log/logStream.test.ts'],
  },
  {
    name: 'Old copies go although the one that is left is damaged',
    file: 'server/backup/copies/retention.ts',
    replace: '  if (obsolete.copies.length > 0) await checkSeals(oldestKept.folder, key)\n',
    by: '',
    foundBy: ['server/backup/restore/restoreCopy.test.ts'],
  },
  {
    name: 'What a restored database wrote before its first copy is lost without a word',
    file: 'server/backup/copies/copyList.ts',
    replace: '    if (end?.piece) moments.push',
    by: '    if (end?.piece && piece) moments.push',
    foundBy: ['server/backup/log/lostParts.test.ts', 'server/backup/restore/restoredTwice.test.ts'],
  },
  {
    name: 'A second database that goes on from a backup writes into the log of the first',
    file: 'server/backup/restore/layCopy.ts',
    replace: 'timeline <= choice.newestTimeline;',
    by: 'timeline < 0;',
    foundBy: ['server/backup/restore/restoredTwice.test.ts'],
  },
  {
    name: 'A copy that anybody could have written is restored in place of the encrypted ones',
    file: 'server/backup/restore/layCopy.ts',
    replace: '  await refusePlainUnlessNamed(copy, wish)\n',
    by: '',
    foundBy: ['server/backup/log/lostParts.test.ts'],
  },
  {
    name: 'The log waits without end for a database that does not tell how far it has written',
    file: 'server/backup/log/Replication.ts',
    replace: '    if (taker) return promise',
    by: '    if (taker || text) return promise',
    foundBy: ['server/backup/log/logStream.test.ts'],
  },
]
