import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDriver, soon } from '#device/testing/openedDriver.ts'
import { wlrRandrDriver, xrandrDriver } from './outputDrivers.ts'

/** xrandr 1.5 prints this for a display, one that is switched off, and a free socket. */
const XRANDR = `Screen 0: minimum 320 x 200, current 1920 x 1080, maximum 16384 x 16384
HDMI-1 connected primary 1920x1080+0+0 (normal left inverted right x axis y axis) 600mm x 340mm
   1920x1080     60.00*+  50.00    59.94
HDMI-2 connected (normal left inverted right x axis y axis)
   3840x2160     30.00 +
DP-1 disconnected (normal left inverted right x axis y axis)`

/** wlr-randr 0.2 prints this for a display that is on and one that is off; a free socket is missing. */
const WLR_RANDR = `HDMI-A-1 "LG Electronics LG TV SSCR2 0x01010101 (HDMI-A-1)"
  Physical size: 1600x900 mm
  Enabled: yes
  Modes:
    3840x2160 px, 30.000000 Hz (preferred)
    1920x1080 px, 60.000000 Hz (current)
  Position: 0,0
  Transform: normal
  Scale: 1.000000
HDMI-A-2 "NEC Corporation P462 (HDMI-A-2)"
  Enabled: no
  Modes:
    1920x1080 px, 60.000000 Hz (preferred)`

function printing(text: string) {
  const file = join(mkdtempSync(join(tmpdir(), 'randr-')), 'program')
  const script = `#!/bin/sh\necho "$DISPLAY$WAYLAND_DISPLAY $*" >> "$0.told"\ncat <<'END'\n${text}\nEND\n`
  writeFileSync(file, script, { mode: 0o755 })
  return { program: file, told: () => readFileSync(`${file}.told`, 'utf8').trim().split('\n') }
}

const OFF = { out_of_order_status: 'ARGB', source_search_status: 'Output switched off' }
const NOTHING = { out_of_order_status: 'ARGB', source_search_status: 'Nothing plugged in' }

test.each([
  ['xrandr', xrandrDriver, XRANDR, ['HDMI-1', 'HDMI-2', 'DP-1'], {}],
  ['wlr-randr', wlrRandrDriver, WLR_RANDR, ['HDMI-A-1', 'HDMI-A-2', 'DP-9'], { socket: '/run/user/1000/wayland-0' }],
] as const)(
  'by %s an output says its picture, that it is off, and that nothing is plugged in',
  async (_, driver, text, names, more) => {
    const { program } = printing(text)
    const open = (output: string) => openDriver(driver, { output, program, ...more }, { topic: 'display' })
    const read = async (output: string) => (await open(output).read(soon()))?.values
    const picture = `${names[0]} 1920x1080`
    expect(await read(names[0])).toEqual({ source: picture, out_of_order_status: picture })
    expect(await read(names[1])).toEqual(OFF)
    expect(await read(names[2])).toEqual(NOTHING)
    expect(await open(names[0]).test(soon())).toBe(`Output ${names[0]} sends 1920x1080.`)
    await expect(open(names[2]).test(soon())).rejects.toThrow(`Nothing is plugged into ${names[2]} of the computer.`)
  },
)

test('an output is switched by its program, in the session that the file names', async () => {
  const x = printing(XRANDR)
  const display = openDriver(xrandrDriver, { output: 'HDMI-1', program: x.program }, { topic: 'display' }).commands
    ?.display
  await display?.switchOff?.()
  await display?.switchOn?.()
  expect(x.told()).toEqual([':0 --output HDMI-1 --off', ':0 --output HDMI-1 --auto'])
  const wayland = printing(WLR_RANDR)
  const given = { output: 'HDMI-A-1', program: wayland.program, socket: '/run/user/1000/wayland-0' }
  await openDriver(wlrRandrDriver, given, { topic: 'display' }).commands?.display?.switchOff?.()
  expect(wayland.told()).toEqual(['/run/user/1000/wayland-0 --output HDMI-A-1 --off'])
})

test('options that a program could take for something else are refused', () => {
  const wrong = (given: object) => () => openDriver(xrandrDriver, { ...given }, { topic: 'display' })
  expect(wrong({ output: '--verbose' })).toThrow('output must be a name of an output, such as HDMI-1')
  expect(wrong({ output: 'HDMI-1', display: 'host:0' })).toThrow('display must be an X display, such as :0')
})

const isXThere = ['/usr/bin/Xvfb', '/usr/bin/xrandr'].every((path) => existsSync(path))
if (!isXThere) console.warn("NOT RUN with X: Debian's packages xvfb and x11-xserver-utils are not installed.")
test.skipIf(!isXThere)(
  'Debian’s xrandr says what an X server without a display sends, and refuses what it cannot',
  async () => {
    const server = spawn('/usr/bin/Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1024x24'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    onTestFinished(() => void server.kill())
    const number = await new Promise<string>((resolve) =>
      server.stdio[3]?.once('data', (bytes) => resolve(String(bytes).trim())),
    )
    const given = { output: 'screen', display: `:${number}` }
    const output = openDriver(xrandrDriver, given, { topic: 'display' })
    expect((await output.read(soon()))?.values).toMatchObject({ out_of_order_status: 'screen 1280x1024' })
    await expect(output.commands?.display?.switchOff?.()).rejects.toThrow('The program of display 1 ended with code 1.')
    const other = openDriver(xrandrDriver, { ...given, output: 'HDMI-7' }, { topic: 'display' })
    await expect(other.read(soon())).rejects.toThrow('The computer has no output HDMI-7.')
  },
)
