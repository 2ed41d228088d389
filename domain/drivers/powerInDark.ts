/** Whether a panel keeps its power, and so its warmth, while its driver makes it dark. */
export const POWER_IN_DARK = ['kept', 'lost', 'unknown'] as const
export type PowerInDark = (typeof POWER_IN_DARK)[number]

/** The drivers that make a display dark; others only report something of it. */
const DARKENING_DRIVERS: ReadonlySet<string> = new Set([
  ...['samsung-mdc', 'lg', 'nec', 'philips-sicp'],
  ...['ddcutil', 'xrandr', 'wlr-randr', 'exec'],
])

/** What is known of the drivers of one display. */
export interface DisplayDrivers {
  /** The options of the driver that the console chose. */
  readonly chosen: Readonly<Record<string, unknown>> | undefined
  /** What the device said; it never says the options of its own file. */
  readonly told: { readonly setBy: 'file' | 'console'; readonly drivers: readonly string[] } | undefined
}

/** Says how it is with a device, which is as its worst display. */
export function powerInDark(displays: readonly DisplayDrivers[]): PowerInDark {
  const all = displays.map(ofDisplay)
  if (all.includes('lost')) return 'lost'
  return all.length === 0 || all.includes('unknown') ? 'unknown' : 'kept'
}

function ofDisplay({ chosen, told }: DisplayDrivers): PowerInDark {
  if (told?.setBy === 'file') return told.drivers.some((name) => DARKENING_DRIVERS.has(name)) ? 'unknown' : 'kept'
  return chosen?.darkBy === 'power' ? 'lost' : 'kept'
}
