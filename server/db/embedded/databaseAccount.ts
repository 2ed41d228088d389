import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The user who runs PostgreSQL; without ids it is the user of this process. */
export type Account = Readonly<{ ids: Readonly<{ uid: number; gid: number }> | undefined; name: string }>

export const runsAsRoot = () => process.getuid?.() === 0

/** PostgreSQL refuses root, and initdb refuses a user without an entry in the list of users. */
export function unprivilegedAccount(): Account {
  const entry = readUsers().find(({ name }) => name === 'nobody')
  if (entry === undefined) {
    throw new Error('Wayside was started as root, but the user "nobody", which would run PostgreSQL, does not exist.')
  }
  return { ids: { uid: entry.uid, gid: entry.gid }, name: entry.name }
}

export const ownAccount: Account = { ids: undefined, name: 'this user' }

export function accountOf({ uid, gid }: Readonly<{ uid: number; gid: number }>): Account {
  const name = readUsers().find((entry) => entry.uid === uid)?.name
  return { ids: { uid, gid }, name: name ?? `user ${uid}` }
}

/** Asks the system by trying as that user, because access lists and mount options count too. */
export function canUse(account: Account, path: string, right: 'read' | 'execute'): boolean {
  const test = spawnSync('/bin/sh', ['-c', 'test "$1" "$2"', 'sh', right === 'read' ? '-r' : '-x', path], {
    cwd: '/',
    env: {},
    stdio: 'ignore',
    ...account.ids,
  })
  return test.status === 0
}

function readUsers() {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}
