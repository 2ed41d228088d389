import type { DriverDescription } from './driverDescription.ts'
import { local, optional, withDefault } from './driverOption.ts'
import { type Read, readAbsolutePath } from './localValues.ts'

const readBy =
  (pattern: RegExp, what: string) =>
  (value: unknown): Read<string> =>
    typeof value === 'string' && pattern.test(value) ? { value } : { reason: `must be ${what}` }

/** A socket of the graphics, by the name of the kernel and the program. */
const output = local('Output', readBy(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$/, 'a name of an output, such as HDMI-1'))

/** The picture that a computer with X.Org sends to a display. */
export const XRANDR = {
  name: 'xrandr',
  title: 'Picture of the computer (X.Org, xrandr)',
  parts: ['display'],
  chosenBy: 'file',
  options: {
    output,
    display: withDefault(local('X display', readBy(/^:\d{1,3}(\.\d)?$/, 'an X display, such as :0')), ':0'),
    /** The user of the client needs this to access the X server. */
    authority: optional(local('X authority file', readAbsolutePath)),
    program: withDefault(local('Program', readAbsolutePath), '/usr/bin/xrandr'),
  },
} as const satisfies DriverDescription

/** The picture that a computer with a wlroots compositor sends to a display. */
export const WLR_RANDR = {
  name: 'wlr-randr',
  title: 'Picture of the computer (Wayland, wlr-randr)',
  parts: ['display'],
  chosenBy: 'file',
  options: {
    output,
    socket: local('Socket of the compositor', readAbsolutePath),
    program: withDefault(local('Program', readAbsolutePath), '/usr/bin/wlr-randr'),
  },
} as const satisfies DriverDescription
