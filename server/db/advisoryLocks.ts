/**
 * Every advisory lock of the system, by its number in the database. Two that share a number wait for each other without
 * a reason, so the compiler refuses that, and a law refuses numbers elsewhere. A number is never given to another lock:
 * processes of two versions run side by side while an installation is updated. `…Of…` is a lock for each id.
 */
const LOCKS = allDifferent({
  migration: 7_719_001,
  lead: 7_719_002,
  /** Shared by the connections on which the leader's jobs run. */
  jobs: 7_719_005,
  /** Of roll-ups and of old days: two at once would wait for each other in circles. */
  rollups: 7_719_003,
  /** Of what counts dark minutes; who has it knows which days have all their readings. */
  darkDays: 7_719_004,
  /** Presence of one device changes one transaction at a time. */
  presenceOfDevice: 7_719,
  /** Taken by the triggers of migration 0011, for 64 parts of all devices. */
  alertCountsOfPart: 7_720,
  /** Users, roles and customers change one after the other. */
  people: 7_721,
  releases: 7_722,
  mails: 7_723,
  /** Power commands of a user are counted one transaction after the other. */
  powerCommandsOfUser: 7_724,
  /** Whether a user has created the same device before is asked one transaction after the other. */
  newDevicesOfUser: 7_740,
  holidaysOfCountry: 7_725,
  /** Held by each connection that writes marks of the current state. */
  stateMarksOfSession: 7_726,
  /** Of what seals rows of the audit log, and of what erases a person in sealed rows. */
  auditSeals: 7_727,
  /** Of whoever changes when devices are under maintenance: each sees what the one before left. */
  maintenanceWindows: 7_728,
  /** Of whoever copies the whole database into the folder of backups. */
  copies: 7_729,
  /** Of what folds alerts into incidents, and of who changes incidents: each sees what the one before left. */
  incidents: 7_730,
  /** Of what decides who is told of incidents, and of what takes from there what is told next. */
  notices: 7_735,
})

type LockName = keyof typeof LOCKS
type LockOfEach = Extract<LockName, `${string}Of${string}`>
type LockOfAll = Exclude<LockName, LockOfEach>

/** As it stands in a `select`: waits for the lock and holds it until the transaction ends. */
export const lockUntilCommit = (name: LockOfAll) => `pg_advisory_xact_lock(${LOCKS[name]})`

/** The same for one id. @param id a parameter or a column as it stands in the statement, or a number of ours */
export const lockEachUntilCommit = (name: LockOfEach, id: string | number) =>
  `pg_advisory_xact_lock(${LOCKS[name]}, ${id})`

/** Waits for the lock and holds it until the connection ends. */
export const lockUntilDisconnected = (name: LockOfAll) => `pg_advisory_lock(${LOCKS[name]})`

/** The same for one id. */
export const lockEachUntilDisconnected = (name: LockOfEach, id: string) => `pg_advisory_lock(${LOCKS[name]}, ${id})`

/** Whether the lock of one id was free, and is held until the transaction ends. */
export const tryLockEachUntilCommit = (name: LockOfEach, id: string) =>
  `pg_try_advisory_xact_lock(${LOCKS[name]}, ${id})`

/** Whether the lock is held from now on until the connection ends. */
export const tryLockUntilDisconnected = (name: LockOfAll) => `pg_try_advisory_lock(${LOCKS[name]})`

/** The same, together with others who ask for a share. */
export const tryShareUntilDisconnected = (name: LockOfAll) => `pg_try_advisory_lock_shared(${LOCKS[name]})`

/** Whether nobody holds the lock of this id, of this database. */
export const isFreeLockOfEach = (name: LockOfEach, id: string) =>
  `not exists (select from pg_locks held where held.locktype = 'advisory' and held.granted
    and held.classid = ${LOCKS[name]} and held.objid = ${id} and held.objsubid = 2
    and held.database = (select oid from pg_database where datname = current_database()))`

/** Whether a row of `pg_locks` is this lock of this database, and is held. @param row its name in the statement */
export const isHeldLock = (row: string, name: LockOfAll) =>
  `(${row}.locktype = 'advisory' and ${row}.granted and ${row}.classid = 0 and ${row}.objid = ${LOCKS[name]}
    and ${row}.objsubid = 1 and ${row}.database = (select oid from pg_database where datname = current_database()))`

/** Locks that have the number of another one. */
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
