import type { Db } from '#server/db/database.ts'
import type { Audit } from '#server/http/call/audit.store.ts'
import { endSessions } from '#server/people/peopleChange.store.ts'
import { findUserByName, forgetFactors } from './factors.store.ts'

/**
 * Removes the second factors of a user, for whoever may run commands on the server's machine. It ends the user's
 * sessions and leaves an audit row.
 * @throws Error of one sentence
 */
export async function resetFactorsFromCommandLine(
  { db, audit }: { readonly db: Db; readonly audit: Audit },
  username: string,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const user = await findUserByName(transaction, username)
    if (!user) throw new Error(`There is no user ${username}.`)
    const count = await forgetFactors(transaction, user.id)
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
