import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runFolder } from '../testing/database/freshDatabase.ts'
import { makeClosedFolder } from './privateFolder.ts'

const parent = runFolder('closed')
const CLOSED = process.getuid?.() === 0 ? 0o711 : 0o700
const modeOf = (folder: string) => statSync(folder).mode & 0o777

test('the data folder is made and closed to everybody else', async () => {
  const folder = join(parent, 'one', 'data')
  await makeClosedFolder(folder, expect.unreachable)
  expect(modeOf(folder)).toBe(CLOSED)
})

test('a data folder that others could read is closed at the next start, and one that is closed further stays so', async () => {
  const folder = join(parent, 'open')
  mkdirSync(folder)
  for (const [before, after] of [
    [0o755, CLOSED],
    [0o777, CLOSED],
    [0o500, 0o500],
  ] as const) {
    chmodSync(folder, before)
    await makeClosedFolder(folder, expect.unreachable)
    expect(modeOf(folder)).toBe(after & before)
  }
})
