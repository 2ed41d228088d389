import type { Instrument, Place } from '../driver.ts'
import type { DisplaySettings } from '../hardware.ts'
import type { DisplayReading } from '../readings.ts'
import { lineName } from './line.ts'
import { type LineOptions, lineAddressOf } from './lineOptions.ts'
import { type LineTalk, withLine } from './lineTalk.ts'
import { type OpenPanel, panelInstrument } from './panelInstrument.ts'

/** A display without a picture reports this as its out-of-order status (rules/display 8). */
const NO_PICTURE = 'ARGB'

interface PanelOnLine {
  /** Begins the sentence "A Samsung panel answers at …". */
  readonly what: string
  readonly options: LineOptions & { readonly wakeMac: string | undefined }
  readonly place: Place
  /** Returns why these settings are impossible, beside those that no such panel has. */
  readonly refusal?: (settings: DisplaySettings) => string | undefined
  readonly panelOn: (talk: LineTalk) => OpenPanel
}

/** A display on a line of its own, or on one that it shares with others. */
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
  /** Undefined if the panel does not report it. */
  isPowered(): Promise<boolean | undefined>
  power(isOn: boolean): Promise<void>
  /** Switches the light or the picture alone, and leaves the power on. */
  shine(isOn: boolean): Promise<void>
}

/** Makes a panel dark and lit again in the way that its options choose. */
export function lightBy(
  darkBy: 'panel' | 'power',
  { isPowered, power, shine }: Switches,
): Pick<OpenPanel, 'light' | 'darken'> {
  return {
    light: async () => {
      // A panel without power accepts no other command.
      if ((await isPowered()) === false) return power(true)
      if (darkBy === 'panel') await shine(true)
    },
    darken: () => (darkBy === 'power' ? power(false) : shine(false)),
  }
}

/**
 * Returns whether the display has a picture.
 *
 * @param hasSignal undefined if the panel does not report it; it says nothing about the panel's own pictures, which are
 * there while it runs
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

/** Reads the bytes as one number, the highest first; undefined if there are none. */
export const numberOfBytes = (bytes: readonly number[]): number | undefined =>
  bytes.length === 0 ? undefined : bytes.reduce((number, byte) => number * 256 + byte, 0)
