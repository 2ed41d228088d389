import type { downloadPersonalData } from '#contract/http/people/personalData.ts'
import type { CustomerId, UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Caller } from '#server/http/call/caller.ts'
import type { ChangeRecord, FileAnswer } from '#server/http/call/route.ts'
import { managedUser } from './managedUser.ts'
import { readPersonalData } from './personalData.store.ts'

type PersonalDataFile = FileAnswer<typeof downloadPersonalData>

interface Person {
  readonly id: UserId
  readonly username: string
  readonly customerId: CustomerId | null
}

export function ownData(db: Db, caller: Caller, change: ChangeRecord): Promise<PersonalDataFile> {
  const { userId: id, username, customerId = null } = caller
  change.about({ id, name: username })
  return db.transaction().execute((transaction) => fileOf(transaction, { id, username, customerId }, change))
}

export function dataOfUser(db: Db, id: UserId, caller: Caller, change: ChangeRecord): Promise<PersonalDataFile> {
  change.about({ id })
  return db
    .transaction()
    .execute(async (transaction) => fileOf(transaction, await managedUser(transaction, id, caller, change), change))
}

/** Each request leaves an audit row, in the transaction of the reads, so that they fit together. */
async function fileOf(transaction: Tx, { id, username: name, customerId }: Person, change: ChangeRecord) {
  const content = await readPersonalData(transaction, id, new Date())
  await change.done(transaction, { id, name, customerId, details: 'Everything that is kept about this user.' })
  return { fileName: `personal-data-${id}.json`, content }
}
