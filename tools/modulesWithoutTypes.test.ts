import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('a kept module that a power cut left empty or in part is made again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wayside-plain-'))
  const kept = join(folder, 'kept')
  const program = join(folder, 'program.ts')
  writeFileSync(program, "const said: string = 'all of it'\nconsole.log(said)\n")
  const hook = `${new URL('modulesWithoutTypes.mjs', import.meta.url)}?${encodeURIComponent(kept)}`
  const run = () => spawnSync(process.execPath, ['--import', hook, program], { encoding: 'utf8' }).stdout
  expect(run()).toBe('all of it\n')
  const [file = ''] = readdirSync(kept)
  for (const bytes of [0, 20]) {
    truncateSync(join(kept, file), bytes)
    expect(run()).toBe('all of it\n')
  }
})
