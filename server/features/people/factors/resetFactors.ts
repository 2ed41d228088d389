import type { Audit } from '#server/http/call/audit.store.ts'
import { endSessions } from '#server/people/peopleChange.store.ts'
import type { FactorStore } from './factors.store.ts'

/**
 * Removes the second factors of a user, for whoever may run commands on the server's machine. It ends the user's
 * sessions and leaves an audit row.
 * @throws Error of one sentence
 */
export async function resetFactorsFromCommandLine(
  { store, audit }: { readonly store: FactorStore; readonly audit: Audit },
  username: string,
): Promise<void> {
  await store.transaction(async (transaction) => {
    const user = await store.userOf(username, transaction)
    if (!user) throw new Error(`There is no user ${username}.`)
    const count = await store.forget(user.id, transaction)
    if (count === 0) throw new Error(`${username} has no second factor.`)
    await endSessions(transaction, { userId: user.id })
    await audit.write(
      {
        change: { action: 'Update', entity: 'User' },
        call: 'admin reset-factors',
        outcome: 'done',
        author: { username: 'Command line', address: '' },
        thing: { ...user, name: username, details: `All second factors were taken away (${count}); sessions ended.` },
      },
      transaction,
    )
  })
}
