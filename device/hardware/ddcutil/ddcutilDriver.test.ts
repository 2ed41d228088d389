import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readOwnComponents } from '../composed/chosenDrivers.ts'
import { createLineQueue } from '../composed/lineQueue.ts'

/** Lines as ddcutil 1.4 prints them with --terse. */
const RECORDED = { '10': 'VCP 10 C 60 200', '16': 'VCP 16 C 100 200', D6: 'VCP D6 SNC x01', '60': 'VCP 60 SNC x11' }

/** Prints the recorded line of each feature, and notes its arguments. */
function ddcutil(recorded: Readonly<Record<string, string>>, more = '') {
  const file = join(mkdtempSync(join(tmpdir(), 'ddcutil-')), 'ddcutil')
  const cases = Object.entries(recorded).map(([code, line]) => `"getvcp ${code}") echo "${line}";;`)
  const text = `#!/bin/sh\necho "$@" >> "$0.heard"\n${more}\ncase "$3 $4" in ${cases.join(' ')} "getvcp "*) echo "VCP $4 ERR";; esac\n`
  writeFileSync(file, text, { mode: 0o755 })
  return {
    program: file,
    told: () =>
      readFileSync(`${file}.heard`, 'utf8')
        .split('\n')
        .filter((line) => /setvcp/.test(line)),
  }
}

function open(program: string, more = {}) {
  const components = { display: { driver: 'ddcutil', bus: 4, program, ...more } }
  const [chosen] = readOwnComponents(components).get('display') ?? []
  if (!chosen) throw new Error('not chosen')
  const place = {
    topic: 'display',
    number: 1,
    steadyMs: () => 0,
    log: () => undefined,
    inQueue: createLineQueue(),
  } as const
  return chosen.driver.open(chosen.options, place)
}
const soon = () => AbortSignal.timeout(3000)

test('backlight is read in percent of what the display counts to; one in standby gives no light', async () => {
  const { read, test } = open(ddcutil(RECORDED).program)
  expect(await read(soon())).toEqual({ values: { backlight_level: 30, source: 'HDMI 1' } })
  expect(await test(soon())).toBe('The display on I²C bus 4 answers: backlight 30 %, source HDMI 1.')
  const asleep = open(ddcutil({ ...RECORDED, D6: 'VCP D6 SNC x02' }).program)
  expect((await asleep.read(soon()))?.values.backlight_level).toBe(0)
  const poor = open(ddcutil({}).program)
  expect((await poor.read(soon()))?.values).toEqual({})
})

test('what is set is scaled, and what the display cannot do is refused before anything is set', async () => {
  const { program, told } = ddcutil(RECORDED)
  const display = open(program, { darkBy: 'off' }).commands?.display
  await display?.setBacklight?.(45)
  await display?.switchOff?.()
  await display?.switchOn?.()
  await display?.apply?.({ backlightLevel: 10, redColorBalance: 50 })
  expect(told()).toEqual([
    '--bus 4 setvcp 10 90',
    '--bus 4 setvcp D6 4',
    '--bus 4 setvcp D6 1',
    '--bus 4 setvcp 10 20',
    '--bus 4 setvcp 16 100',
  ])
  await expect(display?.apply?.({ backlightLevel: 10, gammaValue: 2.2 })).rejects.toThrow('has no gamma to set')
  expect(told()).toHaveLength(5)
  const silent = open(ddcutil(RECORDED, 'echo "Display not found"; exit 1').program)
  await expect(silent.read(soon())).rejects.toThrow('The display does not answer on I²C bus 4.')
})
