import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDriver, soon } from '#device/testing/openedDriver.ts'
import type { EventTypeTopic } from '#domain/catalogue/eventTypes.ts'
import { passTime } from '#testing/passTime.ts'
import { gpioDriver } from './gpioDriver.ts'

/** Prints as both versions of libgpiod do; arguments are noted, and `gpioset` keeps running. */
function programs(version: 'v1.6.3' | 'v2.1', levels: string, isTaken = false) {
  const folder = mkdtempSync(join(tmpdir(), 'gpio-'))
  const write = (name: string, lines: readonly string[]) => {
    const text = ['#!/bin/sh', `[ "$1" = --version ] && echo "${name} (libgpiod) ${version}" && exit`, ...lines]
    writeFileSync(join(folder, name), `${text.join('\n')}\n`, { mode: 0o755 })
  }
  write('gpioget', [`echo "gpioget $*" >> "${folder}/told"`, `echo "${levels}"`])
  const refusal = `echo "gpioset: error setting the GPIO line values: Device or resource busy" >&2; exit 1`
  // The kernel knows who holds a line; here it is whoever has claimed it and still runs.
  const hold = (holder: string) =>
    `for word in "$@"; do case $word in [0-9]*) echo "$(printf 'line %3d:' "\${word%=*}") unnamed \\"${holder}\\" output active-high [used]" >> "${folder}/held.$$";; esac; done`
  write('gpioset', [
    `echo "gpioset $*" >> "${folder}/told"`,
    ...(isTaken ? [refusal] : [hold('gpioset'), 'exec sleep 60']),
  ])
  write('gpiomon', [
    `echo "gpiomon $*" >> "${folder}/told"`,
    'echo 5; echo 6; echo 5',
    hold('gpiomon'),
    'exec sleep 60',
  ])
  write('gpioinfo', [
    `for held in "${folder}"/held.*; do kill -0 "\${held##*.}" 2>/dev/null && cat "$held"; done; true`,
  ])
  const told = () =>
    existsSync(join(folder, 'told')) ? readFileSync(join(folder, 'told'), 'utf8').trim().split('\n') : []
  return { folder, told }
}

let chips = 0
function open(topic: EventTypeTopic, folder: string, lines: object, more: object = {}) {
  const chip = `/dev/gpiochip${++chips}`
  const opened = openDriver(gpioDriver, { chip, folder, lines, ...more }, { topic })
  onTestFinished(() => opened.close?.())
  return { chip, opened, values: async () => (await opened.read(soon()))?.values }
}

test.each(['v1.6.3', 'v2.1'] as const)('a door contact is read, by libgpiod %s', async (version) => {
  const { folder, told } = programs(version, '0')
  const { chip, values, opened } = open('ecu', folder, { door_status: { line: 17, isInverted: true } })
  expect(await values()).toEqual({ door_status: 1 })
  expect(told()[0]).toBe(version === 'v1.6.3' ? `gpioget ${chip} 17` : `gpioget --numeric -c ${chip} 17`)
  expect(await opened.test(soon())).toBe('The GPIO lines of the computer answer: door_status 1.')
  const { values: odd } = open('ecu', programs(version, 'nonsense').folder, { door_status: 17 })
  await expect(odd()).rejects.toThrow('The program of the GPIO lines says something else than levels.')
})

test('each press of a button is counted, also between two looks', async () => {
  const { folder, told } = programs('v1.6.3', '')
  const { chip, values } = open('yocto', folder, {
    '1': { line: 5, isInverted: true },
    '3': { line: 6, isInverted: true },
  })
  expect(await values()).toEqual({ '1': 2, '3': 1 })
  expect(told()).toEqual([`gpiomon --line-buffered --falling-edge --format=%o ${chip} 5 6`])
})

test('a relay is driven from the start, switched, and keeps what was wanted when it is opened anew', async () => {
  const { folder, told } = programs('v1.6.3', '')
  const lines = { port1_status: { line: 20, isInverted: true }, port2_status: 21 }
  const { chip, opened, values } = open('relay', folder, lines)
  expect(await values()).toEqual({ port1_status: 1, port2_status: 1 })
  expect(told().sort()).toEqual([`gpioset --mode=signal ${chip} 20=0`, `gpioset --mode=signal ${chip} 21=1`])
  await opened.commands?.relay?.set?.(1, false)
  expect(await values()).toEqual({ port1_status: 0, port2_status: 1 })
  expect(told().at(-1)).toBe(`gpioset --mode=signal ${chip} 20=1`)
  opened.close?.()
  const again = openDriver(gpioDriver, { chip, folder, lines }, { topic: 'relay' })
  onTestFinished(() => again.close?.())
  expect((await again.read(soon()))?.values).toEqual({ port1_status: 0, port2_status: 1 })
  await expect(again.commands?.relay?.set?.(3, true)).rejects.toThrow('No GPIO line is named for port3_status.')
})

test('a look does not wait for a reset, which is off and on again', async () => {
  const { folder, told } = programs('v2.1', '')
  const { chip, opened, values } = open('power-switch', folder, { port1_status: 20 }, { startsWith: 'on' })
  await values()
  const reset = opened.commands?.['power-switch']?.reset?.(1)
  while ((await values())?.port1_status !== 0) await passTime(20, 'nobody tells when a line has changed')
  await reset
  expect(await values()).toEqual({ port1_status: 1 })
  expect(told().map((line) => line.replace(chip, 'chip'))).toEqual(
    [20, 20, 20].map((line, at) => `gpioset -c chip ${line}=${[1, 0, 1][at]}`),
  )
})

test('a line that another program has is said, and unknown', async () => {
  const { values } = open('relay', programs('v1.6.3', '', true).folder, { port1_status: 4 })
  await expect(values()).rejects.toThrow(
    'The GPIO line cannot be had: gpioset: error setting the GPIO line values: Device or resource busy.',
  )
  const { values: missing } = open('ecu', '/nowhere', { door_status: 1 })
  await expect(missing()).rejects.toThrow('The program of the GPIO lines cannot be started (ENOENT).')
})

const GPIOGET = '/usr/bin/gpioget'
const gpiodIsMissing = existsSync(GPIOGET)
  ? undefined
  : "NOT RUN with libgpiod: Debian's package gpiod is not installed."
if (gpiodIsMissing) console.warn(gpiodIsMissing)
test.skipIf(gpiodIsMissing)('Debian’s own programs say that there is no such chip', async () => {
  const { values } = open('ecu', '/usr/bin', { door_status: 1 }, { chip: '/dev/gpiochip99' })
  await expect(values()).rejects.toThrow(/^The program of the GPIO lines ended with code \d+\.$/)
})

test.each([
  ['ecu', { internal_temp: 3 }, 'lines.internal_temp is nothing that a line can be of ecu, which has door_status'],
  ['relay', {}, 'lines names no line'],
  ['relay', { port1_status: -1 }, 'but "port1_status" must be a whole number from 0 to 1023'],
] as const)('lines of %s that are %j are refused', (topic, lines, sentence) => {
  expect(() => openDriver(gpioDriver, { lines }, { topic })).toThrow(sentence)
})
