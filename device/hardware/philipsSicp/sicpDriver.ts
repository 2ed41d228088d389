import type { OptionsOf } from '#domain/drivers/driverDescription.ts'
import { PHILIPS_SICP } from '#domain/drivers/philipsSicpDescription.ts'
import { driver, type Instrument, type Place } from '../driver.ts'
import { HardwareError } from '../hardware.ts'
import type { DisplayReading } from '../readings.ts'
import { lineProblem } from '../wire/lineOptions.ts'
import type { LineTalk } from '../wire/lineTalk.ts'
import { panelCandidates } from '../wire/panelCandidates.ts'
import type { OpenPanel } from '../wire/panelInstrument.ts'
import { lightBy, numberOfBytes, panelOnLine, pictureOf } from '../wire/panelOnLine.ts'
import { SICP, sicpAnswerIn, sicpFrame, sicpSource } from './sicpFrames.ts'

type SicpOptions = OptionsOf<typeof PHILIPS_SICP>

const SECONDS_PER_HOUR = 3600
const POWER = { off: 1, on: 2 } as const
const BACKLIGHT = { on: 0, off: 1 } as const
const NO_SIGNAL = 0
/** Selects the hours among the values of `0x0f`; some displays repeat it before them. */
const HOURS = 2
/** Brightness, colour, contrast, sharpness, tint, black level and gamma can only be set together. */
const VIDEO_VALUES = 7

interface Frames {
  /** Returns the reported values; undefined when the display answers that this is not available. */
  get(command: number, data?: readonly number[]): Promise<readonly number[] | undefined>
  /** @param what ends the sentence "The display refused to set its …" */
  set(command: number, data: readonly number[], what: string): Promise<void>
}

function framesOn(talk: LineTalk, { monitorId, frames }: SicpOptions): Frames {
  const ask = (command: number, data: readonly number[]) =>
    talk.ask(sicpFrame([command, ...data], monitorId, frames), (received) =>
      sicpAnswerIn(received, command, monitorId, frames),
    )
  return {
    get: async (command, data = []) => {
      const { verdict, values } = await ask(command, data)
      return verdict === undefined ? values : undefined
    },
    set: async (command, data, what) => {
      const { verdict } = await ask(command, data)
      if (verdict !== 'done') throw new HardwareError(`The display refused to set its ${what}.`)
    },
  }
}

function openSicp(options: SicpOptions, place: Place): Instrument {
  return panelOnLine({
    what: 'A Philips display',
    options,
    place,
    refusal: ({ brightness }) =>
      brightness === undefined ? undefined : 'The brightness of this display is its backlight; set that.',
    panelOn: (talk) => panelOn(framesOn(talk, options), options),
  })
}

function panelOn({ get, set }: Frames, { darkBy }: SicpOptions): OpenPanel {
  const level = async () => (await get(SICP.video))?.[0]
  return {
    read: () => readDisplay(get),
    level,
    setLevel: async (percent) => {
      const [, ...others] = (await get(SICP.video)) ?? []
      // Older displays cannot be told to leave a value unchanged.
      if (others.length !== VIDEO_VALUES - 1)
        throw new HardwareError('The display does not say what its picture is set to.')
      await set(SICP.setVideo, [percent, ...others], 'backlight')
    },
    setBrightness: () => Promise.reject(new HardwareError('The display has no brightness beside its backlight.')),
    ...lightBy(darkBy, {
      isPowered: async () => {
        const [power] = (await get(SICP.power)) ?? []
        return power === undefined ? undefined : power !== POWER.off
      },
      power: (isOn) => set(SICP.setPower, [isOn ? POWER.on : POWER.off], 'power'),
      shine: (isOn) => set(SICP.setBacklight, [isOn ? BACKLIGHT.on : BACKLIGHT.off], 'light'),
    }),
  }
}

async function readDisplay(get: Frames['get']): Promise<DisplayReading> {
  const [power] = (await get(SICP.power)) ?? []
  const uptime = secondsOf((await get(SICP.operatingHours, [HOURS])) ?? [])
  if (power === POWER.off) return { uptime, backlight_level: 0 }
  const [backlight] = (await get(SICP.backlight)) ?? []
  const [brightness, , contrast] = (await get(SICP.video)) ?? []
  const [sourceCode] = (await get(SICP.source)) ?? []
  const [celsius] = (await get(SICP.temperature)) ?? []
  const [signal] = (await get(SICP.hasSignal)) ?? []
  const source = sourceCode === undefined ? undefined : sicpSource(sourceCode)
  return {
    uptime,
    source,
    backlight_level: backlight === BACKLIGHT.off ? 0 : brightness,
    contrast,
    internal_temp: celsius,
    ...pictureOf(signal === undefined ? undefined : signal !== NO_SIGNAL, source),
  }
}

/** The hours are two bytes; some displays repeat before them which value it is. */
function secondsOf(values: readonly number[]): number | undefined {
  const bytes = values.length > 2 && values[0] === HOURS ? values.slice(1, 3) : values
  const hours = bytes.length === 2 ? numberOfBytes(bytes) : undefined
  return hours === undefined ? undefined : hours * SECONDS_PER_HOUR
}

export const philipsSicpDriver = driver(PHILIPS_SICP, {
  problem: (options) => lineProblem(options),
  open: openSicp,
  probe: panelCandidates(5000),
})
