import type { Instrument, Place } from '../driver.ts'
import type { DisplaySettings } from '../hardware.ts'
import type { DisplayReading } from '../readings.ts'
import { lineName } from './line.ts'
import { type LineOptions, lineAddressOf } from './lineOptions.ts'
import { type LineTalk, withLine } from './lineTalk.ts'
import { type OpenPanel, panelInstrument } from './panelInstrument.ts'

/** What a display without a picture says as its out-of-order status (rules/display 8). */
const NO_PICTURE = 'ARGB'

interface PanelOnLine {
  /** As in: a Samsung panel answers at … */
  readonly what: string
  readonly options: LineOptions & { readonly wakeMac: string | undefined }
  readonly place: Place
  /** Why these settings cannot be, beside those that no such panel has. */
  readonly refusal?: (settings: DisplaySettings) => string | undefined
  /** What it can do, as its protocol says it. */
  readonly panelOn: (talk: LineTalk) => OpenPanel
}

/** A display that is asked on a line of its own, or on one that it shares with others. */
export function panelOnLine({ what, options, place, refusal, panelOn }: PanelOnLine): Instrument {
  const address = lineAddressOf(options)
  return panelInstrument({
    what,
    where: lineName(address),
    wakeMac: options.wakeMac,
    ...(refusal && { refusal }),
    withPanel: (signal, work) =>
      place.inQueue(lineName(address), () => withLine(address, signal, (talk) => work(panelOn(talk)))),
  })
}

interface Switches {
  /** Undefined where the panel does not say it. */
  isPowered(): Promise<boolean | undefined>
  power(isOn: boolean): Promise<void>
  /** The light or the picture alone, with the power left on. */
  shine(isOn: boolean): Promise<void>
}

/** How a panel is made dark and lit again, by what its options say. */
export function lightBy(
  darkBy: 'panel' | 'power',
  { isPowered, power, shine }: Switches,
): Pick<OpenPanel, 'light' | 'darken'> {
  return {
    light: async () => {
      // Without power it takes no other order.
      if ((await isPowered()) === false) return power(true)
      if (darkBy === 'panel') await shine(true)
    },
    darken: () => (darkBy === 'power' ? power(false) : shine(false)),
  }
}

/**
 * Whether the display has a picture.
 *
 * @param hasSignal undefined where the panel does not say it; of pictures that it makes itself it says nothing, and they are there while it runs
 */
export function pictureOf(
  hasSignal: boolean | undefined,
  source: string | undefined,
): Pick<DisplayReading, 'out_of_order_status' | 'source_search_status'> {
  if (hasSignal === undefined) return {}
  return hasSignal
    ? { out_of_order_status: source }
    : { out_of_order_status: NO_PICTURE, source_search_status: 'No signal' }
}

/** The number that bytes tell, the highest first; undefined where there are none. */
export const numberOfBytes = (bytes: readonly number[]): number | undefined =>
  bytes.length === 0 ? undefined : bytes.reduce((number, byte) => number * 256 + byte, 0)
