import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { provideFolder } from './startErrors.ts'

test('a folder is made with all above it, or what keeps it from being made is told in one sentence', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'provided-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const deep = join(folder, 'a', 'b', 'c')
  for (const _ of ['made', 'there already']) await provideFolder('WAYSIDE_DATA', deep)
  expect(statSync(deep).isDirectory()).toBe(true)
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const refused = [
    [file, 'it is a file'],
    [join(file, 'a', 'b'), 'a part of its path is a file'],
    ['/proc/wayside/data', 'no folder can be made there'],
  ] as const
  for (const [wanted, reason] of refused) {
    await expect(provideFolder('WAYSIDE_DATA', wanted)).rejects.toThrow(
      `WAYSIDE_DATA: the folder ${wanted} cannot be used: ${reason}.`,
    )
  }
}, 10_000)

test('processes that start together may make the same folder', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'wayside-folder-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  const folder = join(parent, 'var', 'data')
  await Promise.all(Array.from({ length: 8 }, () => provideFolder('WAYSIDE_DATA', folder)))
  expect(statSync(folder).isDirectory()).toBe(true)
})
