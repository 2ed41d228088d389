import { weaknessOf } from '#domain/passwords/passwordRules.ts'
import type { Db } from '#server/db/database.ts'
import type { Audit } from '#server/http/call/audit.store.ts'
import { whyGuessable } from './passwords/guessing.ts'
import { hashPassword } from './passwords/passwords.ts'
import { personalTermsOfName, replacePassword } from './signInUsers.store.ts'

/**
 * Sets a password without the old one, for whoever may run commands on the server's machine. It ends the user's
 * sessions and leaves an audit row.
 * @throws Error of one sentence
 */
export async function setPasswordFromCommandLine(
  { db, audit }: { readonly db: Db; readonly audit: Audit },
  username: string,
  password: string,
): Promise<void> {
  const weakness =
    weaknessOf(password, username) ??
    (await whyGuessable(password, [username, ...(await personalTermsOfName(db, username))]))
  if (weakness !== undefined) throw new Error(weakness)
  const passwordHash = await hashPassword(password)
  await db.transaction().execute(async (transaction) => {
    const user = await replacePassword(transaction, username, passwordHash)
    if (!user) throw new Error(`There is no user ${username}.`)
    await audit.write(
      {
        change: { action: 'Update', entity: 'User' },
        call: 'admin set-password',
        outcome: 'done',
        author: { username: 'Command line', address: '' },
        thing: { id: user.id, name: username, customerId: user.customerId, details: 'The password was set.' },
      },
      transaction,
    )
  })
}
