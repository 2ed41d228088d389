import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { passTime } from '#testing/passTime.ts'
import { ROOT } from '../node24.mjs'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

const testOf = (name: string, lamps: number) => `
import { expect, test } from 'vitest'
import { lamps } from '#domain/lamps.ts'
test('${name}', () => expect(lamps).toBe(${lamps}))
`

/** Makes a checkout with our tools and settings, in which tests of two kinds import one rule. */
function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'wayside-nearest-'))
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }))
  for (const path of ['tools', 'package.json', 'vitest.config.ts']) {
    cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  write('domain/lamps.ts', 'export const lamps = 2\n')
  write('domain/lamps.test.ts', testOf('the rule', 2))
  write('domain/far/nights.test.ts', testOf('a long night', 2))
  write('console/testing/setup.ts', '')
  write('console/Lamps.test.tsx', testOf('the screen', 2))
  const times = [{ name: join(folder, 'domain/far/nights.test.ts'), startTime: 0, endTime: 3_600_000 }]
  write('test-results/unit.json', JSON.stringify({ testResults: times }))
  return { folder, write }
}

function start(folder: string, ...words: string[]) {
  const child = spawn(process.execPath, ['tools/tests/main.ts', ...words], {
    cwd: folder,
    env: { ...process.env, INIT_CWD: folder, NO_COLOR: '1', FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text
    })
  }
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  cleanUps.push(() => {
    child.kill('SIGINT')
    return ended
  })
  return {
    ended: ended.then((code) => ({ code, output })),
    /** Waits for output since the last call; `again` is repeated meanwhile, because file watching gives no notice. */
    hears: async (words: RegExp, again?: () => void) => {
      const said = () => {
        again?.()
        return output
      }
      await expect.poll(said, { timeout: 60_000, interval: again === undefined ? 50 : 2_000 }).toMatch(words)
      const heard = output
      output = ''
      return heard
    },
  }
}

test('of a rule tests of each kind run, the nearest first; one that takes too long is named as not run', async () => {
  const { folder } = setUp()
  const { code, output } = await start(folder, 'domain/lamps.ts').ended
  expect(code).toBe(0)
  expect(output).toMatch(/domain\/lamps\.test\.ts[\s\S]+console\/Lamps\.test\.tsx[\s\S]+2 passed/)
  expect(output).not.toContain('nights.test.ts (')
  expect(output).toMatch(/NOT RUN: 1 test file .*npm test -- domain\/lamps\.ts --all/)
})

test('with --all every one runs, and the run fails with any of them', async () => {
  const { folder, write } = setUp()
  write('domain/far/nights.test.ts', testOf('a long night', 3))
  const { code, output } = await start(folder, 'domain/lamps.ts', '--all').ended
  expect(code).toBe(1)
  expect(output).toContain('1 failed | 2 passed')
  expect(output).not.toContain('NOT RUN')
})

test('a folder is that folder alone, whatever else has its letters', async () => {
  const { folder, write } = setUp()
  write('console/domain/far/x.test.ts', testOf('not of the rules', 2))
  write('domain/farther/x.test.ts', testOf('beside', 2))
  const { output } = await start(folder, 'domain/far').ended
  expect(output).toContain('nights.test.ts')
  expect(output).toMatch(/Test Files +1 passed/)
})

test('watched, each edit is answered: two at once, one during a run, and a new test', async () => {
  const { folder, write } = setUp()
  const watched = start(folder, 'domain/lamps.ts', '--watch')
  expect(await watched.hears(/PASS +Waiting[\s\S]+PASS +Waiting/)).toContain('NOT RUN: 1')
  write('domain/lamps.ts', 'export const lamps = 1\n')
  write('domain/lamps.ts', 'export const lamps = 3\n')
  expect(await watched.hears(/Tests failed\./)).toMatch(/NOT RUN: 1[\s\S]+2 failed|2 failed[\s\S]+NOT RUN: 1/)
  write('domain/lamps.ts', 'export const lamps = 4\n')
  await watched.hears(/RERUN/)
  write('domain/lamps.ts', 'export const lamps = 2\n')
  await watched.hears(/PASS +Waiting/)
  // Some editors first make a file, and then write it.
  write('domain/newLamps.test.ts', '')
  await passTime(50, 'the file is seen before it is written')
  write('domain/newLamps.test.ts', testOf('a new test', 3))
  expect(await watched.hears(/Tests failed\./)).toContain('newLamps.test.ts')
})

test('what is watched by its path stays alone', async () => {
  const { folder, write } = setUp()
  const watched = start(folder, 'console', '--watch')
  await watched.hears(/PASS +Waiting[\s\S]+PASS +Waiting/)
  write('domain/lamps.test.ts', testOf('another rule', 3))
  write('domain/lamps.ts', 'export const lamps = 1\n')
  const heard = await watched.hears(/Tests failed\./)
  expect(heard).toContain('Lamps.test.tsx')
  // The title is compared, because the watch names the written file whether or not it runs.
  expect(heard).not.toContain('another rule')
})

test('watching may begin with nothing to run, and answers the first edit', async () => {
  const { folder, write } = setUp()
  const watched = start(folder, 'console/testing', '--watch')
  await watched.hears(/PASS +Waiting/)
  const edit = () => write('console/testing/first.test.ts', testOf('the first', 3))
  expect(await watched.hears(/Waiting|Tests failed\./, edit)).toContain('1 failed')
})
