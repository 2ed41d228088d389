import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { EventTypeTopic } from '#domain/catalogue/eventTypes.ts'
import { readOwnComponents } from '../composed/chosenDrivers.ts'

function program(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'exec-')), 'program')
  writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  return file
}

function open(topic: EventTypeTopic, options: object) {
  const [chosen] = readOwnComponents({ [topic]: { driver: 'exec', ...options } }).get(topic) ?? []
  if (!chosen) throw new Error('not chosen')
  const log: string[] = []
  const inQueue = <Result>(_: string, work: () => Promise<Result>) => work()
  const place = { topic, number: 1, steadyMs: () => 0, log: (line: string) => log.push(line), inQueue }
  return { ...chosen.driver.open(chosen.options, place), log }
}
const soon = () => AbortSignal.timeout(2500)

test('a program prints a reading as JSON, and may say how old it is', async () => {
  const file = program(`printf '{"load": 12.5, "status": "on battery", "odd": [1], "ageSeconds": 40, "by": "%s"}' "$*"`)
  const { read, test } = open('ups', { program: file, arguments: ['--of', 'a $(whoami) `id` ; b'] })
  expect(await read(soon())).toEqual({
    values: { load: 12.5, status: 'on battery', by: '--of a $(whoami) `id` ; b' },
    takenAgoMs: 40_000,
  })
  expect(await test(soon())).toBe('The program of ups answers: UPS status on battery, UPS load 12.5.')
})

test('each command is one start of the program with what the command says', async () => {
  const file = program(`echo "$@" >> "$0.heard"`)
  const relay = open('relay', {
    program: file,
    commands: { set: ['--port={port}', '{on}', '{none}'], reset: ['{port}'] },
  })
  await relay.commands?.relay?.set?.(2, false)
  await relay.commands?.relay?.reset?.(1)
  const display = open('display', { program: file, commands: { setBacklight: ['{percent}'], apply: ['{settings}'] } })
  await display.commands?.display?.setBacklight?.(40)
  await display.commands?.display?.apply?.({ backlightLevel: 30 })
  expect(readFileSync(`${file}.heard`, 'utf8').split('\n')).toEqual([
    '--port=2 off {none}',
    '1',
    '40',
    '{"backlightLevel":30}',
    '',
  ])
  expect(display.commands?.display?.switchOff).toBeUndefined()
})

test('a program that fails, hangs, floods or prints something else ends with its reason and without its path', async () => {
  const failing = open('ups', { program: program('echo "no /dev/ups here" >&2; exit 3') })
  await expect(failing.read(soon())).rejects.toThrow(/^The program of ups ended with code 3\.$/)
  expect(failing.log).toEqual(['The program of ups complains: no /dev/ups here'])
  const outcomes = ['yes x', 'echo hello', 'echo []', 'sleep 60'].map((text) =>
    open('ups', { program: program(text), seconds: 1 }).read(soon()),
  )
  const reasons = (await Promise.allSettled(outcomes)).map((one) =>
    one.status === 'rejected' ? one.reason.message : '',
  )
  expect(reasons).toEqual([
    'The program of ups prints too much.',
    'The program of ups prints no JSON.',
    'The program of ups prints JSON, but no object.',
    'The program of ups takes too long.',
  ])
  await expect(open('ups', { program: '/nowhere/program' }).read(soon())).rejects.toThrow(
    'The program of ups cannot be started (ENOENT).',
  )
})

test('what a program has started ends with it', async () => {
  const file = program('(sleep 1.5; touch "$0.survived") & sleep 60')
  const { read } = open('ups', { program: file, seconds: 1 })
  await expect(read(soon())).rejects.toThrow('takes too long')
  await expect(open('ups', { program: program('sleep 1; echo {}'), seconds: 3 }).read(soon())).resolves.toEqual({
    values: {},
  })
  expect(existsSync(`${file}.survived`)).toBe(false)
})

test.each([
  [{ program: 'program' }, 'field "components.ups.program" must be a path that begins with /'],
  [{ program: '/a', arguments: 'b' }, 'field "components.ups.arguments" must be a list of at most 64 texts'],
  [
    { program: '/a', commands: { set: [] } },
    'field "components.ups.commands.set" is no command of ups, which has reboot, shutdown, resetGroup, testBattery',
  ],
])('a file that says %j of a program is refused: %s', (options, sentence) => {
  expect(() => readOwnComponents({ ups: { driver: 'exec', ...options } })).toThrow(sentence)
})
