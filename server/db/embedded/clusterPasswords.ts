import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Passwords = Readonly<{ owner: string; application: string; isNew: boolean }>

/** Reads the passwords beside the data, which only the starting user may read. Makes them when they are missing. */
export function keepPasswords(folder: string): Passwords {
  const file = join(folder, 'postgres.passwords.json')
  if (existsSync(file)) {
    const { owner, application } = JSON.parse(readFileSync(file, 'utf8')) as { owner: string; application: string }
    return { owner, application, isNew: false }
  }
  const passwords = { owner: randomPassword(), application: randomPassword() }
  writeFileSync(`${file}.new`, JSON.stringify(passwords), { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return { ...passwords, isNew: true }
}

const randomPassword = () => randomBytes(24).toString('hex')
