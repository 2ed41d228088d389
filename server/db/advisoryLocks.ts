/**
 * Every advisory lock of the system has its number in the database here. Two locks with one number would wait for each
 * other without a reason, so the compiler refuses that, and an architecture rule refuses numbers elsewhere. A number is
 * never given to another lock, because processes of two versions run side by side during an update. A name with `Of`
 * stands for one lock for each id.
 */
const LOCKS = allDifferent({
  migration: 7_719_001,
  lead: 7_719_002,
  /** The connections on which the leader's jobs run share it. */
  jobs: 7_719_005,
  /** Roll-ups and the removal of old days hold it: two at once would wait for each other in circles. */
  rollups: 7_719_003,
  /** The count of dark minutes holds it; its holder knows which days have all their readings. */
  darkDays: 7_719_004,
  /** The presence of a device changes in one transaction at a time. */
  presenceOfDevice: 7_719,
  /** The triggers of migration 0011 take it, for each of 64 parts of all devices. */
  alertCountsOfPart: 7_720,
  /** Users, roles and customers change one after the other. */
  people: 7_721,
  releases: 7_722,
  mails: 7_723,
  /** Power commands of a user are counted one transaction after the other, or two at once would both pass the limit. */
  powerCommandsOfUser: 7_724,
  /** One transaction after the other checks whether a user has created the same device before. */
  newDevicesOfUser: 7_740,
  holidaysOfCountry: 7_725,
  /** Each connection that writes dirty ranges of the current state holds it. */
  stateMarksOfSession: 7_726,
  /** The sealing of audit rows and the erasing of a person in sealed rows exclude each other. */
  auditSeals: 7_727,
  /** Whoever changes maintenance windows holds it, so that each sees what the one before left. */
  maintenanceWindows: 7_728,
  /** Whoever copies the whole database into the folder of backups holds it. */
  copies: 7_729,
  /** Folding alerts into incidents and changing incidents exclude each other: each sees what the one before left. */
  incidents: 7_730,
  /** Deciding who is notified of incidents and taking the next notice to send exclude each other. */
  notices: 7_735,
  /** Whoever closes days holds it. */
  closing: 7_741,
  /** Who writes old readings shares it, so that none of them is on its way when a day begins to be closed. */
  oldReadings: 7_742,
})

type LockName = keyof typeof LOCKS
type LockOfEach = Extract<LockName, `${string}Of${string}`>
type LockOfAll = Exclude<LockName, LockOfEach>

export const lockUntilCommit = (name: LockOfAll) => `pg_advisory_xact_lock(${LOCKS[name]})`

/** SQL expression: locks one id until the transaction ends. @param id a parameter or column of the statement */
export const lockEachUntilCommit = (name: LockOfEach, id: string | number) =>
  `pg_advisory_xact_lock(${LOCKS[name]}, ${id})`

export const lockUntilDisconnected = (name: LockOfAll) => `pg_advisory_lock(${LOCKS[name]})`

export const lockEachUntilDisconnected = (name: LockOfEach, id: string) => `pg_advisory_lock(${LOCKS[name]}, ${id})`

/** SQL expression: true when the lock of this id was free; it is then held until the transaction ends. */
export const tryLockEachUntilCommit = (name: LockOfEach, id: string) =>
  `pg_try_advisory_xact_lock(${LOCKS[name]}, ${id})`

/** SQL expression: true when the lock was free; it is then held until the connection ends. */
export const tryLockUntilDisconnected = (name: LockOfAll) => `pg_try_advisory_lock(${LOCKS[name]})`

export const unlock = (name: LockOfAll) => `pg_advisory_unlock(${LOCKS[name]})`

/** SQL expression: shares the lock with others until the transaction ends. */
export const shareUntilCommit = (name: LockOfAll) => `pg_advisory_xact_lock_shared(${LOCKS[name]})`

/** SQL expression: true when the lock could be shared with others; the share is then held until the connection ends. */
export const tryShareUntilDisconnected = (name: LockOfAll) => `pg_try_advisory_lock_shared(${LOCKS[name]})`

/** SQL condition: nobody in this database holds the lock of this id. */
export const isFreeLockOfEach = (name: LockOfEach, id: string) =>
  `not exists (select from pg_locks held where held.locktype = 'advisory' and held.granted
    and held.classid = ${LOCKS[name]} and held.objid = ${id} and held.objsubid = 2
    and held.database = (select oid from pg_database where datname = current_database()))`

/** SQL condition: a row of `pg_locks` is this lock of this database, and held. @param row its name in the statement */
export const isHeldLock = (row: string, name: LockOfAll) =>
  `(${row}.locktype = 'advisory' and ${row}.granted and ${row}.classid = 0 and ${row}.objid = ${LOCKS[name]}
    and ${row}.objsubid = 1 and ${row}.database = (select oid from pg_database where datname = current_database()))`

/** Yields the names of locks whose number another lock has too. */
type Doubled<Locks> = {
  [Name in keyof Locks]: {
    [Other in keyof Locks]: Other extends Name ? never : Locks[Other] extends Locks[Name] ? Name : never
  }[keyof Locks]
}[keyof Locks]

export function allDifferent<const Locks extends Readonly<Record<string, number>>>(
  locks: Locks & Readonly<Record<Doubled<Locks>, 'has the number of another lock'>>,
): Locks {
  return locks
}
