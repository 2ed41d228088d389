import type { downloadPersonalData, PersonalData } from '#contract/http/people/personalData.ts'
import type { CustomerId, UserId } from '#domain/ids.ts'
import { mayManage } from '#domain/permissions/people.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord, FileAnswer } from '#server/http/call/route.ts'
import type { PersonalDataStore } from './personalData.store.ts'
import type { UserStore } from './users.store.ts'

export type PersonalDataFile = FileAnswer<typeof downloadPersonalData>

export interface PersonalDataService {
  readonly own: (caller: Caller, change: ChangeRecord) => Promise<PersonalDataFile>
  readonly of: (id: UserId, caller: Caller, change: ChangeRecord) => Promise<PersonalDataFile>
}

interface Person {
  readonly id: UserId
  readonly username: string
  readonly customerId: CustomerId | null
}

/** A person's data is given to them and to whoever manages them. Each request leaves an audit row. */
export function createPersonalData(kept: PersonalDataStore, users: Pick<UserStore, 'known'>): PersonalDataService {
  const fileOf = async (person: Person, change: ChangeRecord, transaction: Tx) => {
    const content: PersonalData = await kept.read(person.id, new Date(), transaction)
    const { id, username: name, customerId } = person
    await change.done(transaction, { id, name, customerId, details: 'Everything that is kept about this user.' })
    return { fileName: `personal-data-${id}.json`, content }
  }
  return {
    own: (caller, change) => {
      const { userId: id, username, customerId = null } = caller
      change.about({ id, name: username })
      return kept.together((transaction) => fileOf({ id, username, customerId }, change, transaction))
    },
    of: (id, caller, change) => {
      change.about({ id })
      return kept.together(async (transaction) => {
        const known = await users.known(id, scopeOf(caller), transaction)
        if (!known) throw notFound()
        change.about({ name: known.username })
        if (!mayManage(caller, known)) throw new CallError('forbidden')
        return fileOf(known, change, transaction)
      })
    },
  }
}
