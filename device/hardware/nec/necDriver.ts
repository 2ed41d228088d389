import { faultLabel } from '#domain/catalogue/faults.ts'
import type { OptionsOf } from '#domain/drivers/driverDescription.ts'
import { NEC } from '#domain/drivers/necDescription.ts'
import { driver, type Instrument, type Place } from '../driver.ts'
import { HardwareError } from '../hardware.ts'
import type { DisplayReading } from '../readings.ts'
import { lineProblem } from '../wire/lineOptions.ts'
import type { LineTalk } from '../wire/lineTalk.ts'
import { panelCandidates } from '../wire/panelCandidates.ts'
import type { OpenPanel } from '../wire/panelInstrument.ts'
import { lightBy, panelOnLine, pictureOf } from '../wire/panelOnLine.ts'
import {
  ASK_DIAGNOSIS,
  diagnosisLabel,
  inHex,
  isLampFaulty,
  isNecPowerTaken,
  NEC_PARAMETERS,
  NEC_POWER,
  type NecKind,
  type NecParameter,
  NO_SIGNAL,
  necAnswerIn,
  necDiagnosisIn,
  necInput,
  necMessage,
  necPowerIn,
  necValueIn,
  otherDiagnoses,
} from './necFrames.ts'

type NecOptions = OptionsOf<typeof NEC>

const SECONDS_PER_HALF_HOUR = 1800
const SECONDS_PER_MINUTE = 60
const MUTE = { on: 1, off: 2 } as const

interface Parameters {
  power(): Promise<number | undefined>
  setPower(state: number): Promise<void>
  /** Undefined if this model lacks the parameter, or does not have it now. */
  get(parameter: NecParameter): Promise<number | undefined>
  /** Resolves with whether the display accepted it. */
  put(parameter: NecParameter, value: number): Promise<boolean>
  diagnosis(): Promise<readonly number[] | undefined>
}

function parametersOn(talk: LineTalk, monitorId: number): Parameters {
  const ask = (kind: NecKind, data: string) =>
    talk.ask(necMessage(kind, monitorId, data), (received) => necAnswerIn(received, kind, monitorId))
  return {
    power: async () => necPowerIn(await ask('A', NEC_POWER.ask)),
    setPower: async (state) => {
      const taken = isNecPowerTaken(await ask('A', `${NEC_POWER.set}${inHex(state, 4)}`), state)
      if (!taken) throw new HardwareError('The display refused to set its power.')
    },
    get: async (parameter) => necValueIn(await ask('C', parameter), parameter),
    put: async (parameter, value) =>
      necValueIn(await ask('E', `${parameter}${inHex(value, 4)}`), parameter) !== undefined,
    diagnosis: async () => necDiagnosisIn(await ask('A', ASK_DIAGNOSIS)),
  }
}

function openNec(options: NecOptions, place: Place): Instrument {
  let told = ''
  const diagnosed = (codes: readonly number[]) => {
    const words = diagnosisLabel(codes)
    if (words !== told && words) place.log(`Display ${place.number} diagnoses: ${words}.`)
    told = words
  }
  const panel = panelOnLine({
    what: 'An NEC display',
    options,
    place,
    panelOn: (talk) => panelOn(parametersOn(talk, options.monitorId), options, diagnosed),
  })
  return {
    ...panel,
    test: async (signal) => {
      const sentence = await panel.test(signal)
      return told ? `${sentence} It diagnoses: ${told}.` : sentence
    },
  }
}

type Diagnosed = (codes: readonly number[]) => void

function panelOn(parameters: Parameters, { darkBy, sensor }: NecOptions, diagnosed: Diagnosed): OpenPanel {
  const { get, put, power, setPower } = parameters
  const set = async (parameter: NecParameter, value: number, what: string) => {
    if (!(await put(parameter, value))) throw new HardwareError(`The display refused to set its ${what}.`)
  }
  return {
    read: () => readDisplay(parameters, sensor, diagnosed),
    level: () => get(NEC_PARAMETERS.backlight),
    setLevel: (percent) => set(NEC_PARAMETERS.backlight, percent, 'backlight'),
    setBrightness: (percent) => set(NEC_PARAMETERS.blackLevel, percent, 'brightness'),
    ...lightBy(darkBy, {
      isPowered: async () => {
        const state = await power()
        return state === undefined ? undefined : state === NEC_POWER.on
      },
      power: (isOn) => setPower(isOn ? NEC_POWER.on : NEC_POWER.off),
      shine: (isOn) => set(NEC_PARAMETERS.screenMute, isOn ? MUTE.off : MUTE.on, 'picture'),
    }),
  }
}

async function readDisplay(parameters: Parameters, sensor: number, diagnosed: Diagnosed): Promise<DisplayReading> {
  const { get, power, diagnosis } = parameters
  const state = await power()
  // The display gives no light in standby, suspended and off, and answers few questions.
  if (state !== undefined && state !== NEC_POWER.on) return { backlight_level: 0 }
  const mute = await get(NEC_PARAMETERS.screenMute)
  const level = await get(NEC_PARAMETERS.backlight)
  const input = await get(NEC_PARAMETERS.input)
  const codes = await diagnosis()
  if (codes) diagnosed(codes)
  const source = input === undefined ? undefined : necInput(input)
  return {
    source,
    backlight_level: levelOf(level, mute, codes ?? []),
    lamp_fault: codes && Number(isLampFaulty(codes)),
    diagnosis: codes && faultLabel(otherDiagnoses(codes)),
    contrast: await get(NEC_PARAMETERS.contrast),
    brightness: await get(NEC_PARAMETERS.blackLevel),
    internal_temp: await temperatureAt(parameters, sensor),
    uptime: await onTimeSeconds(get),
    ...pictureOf(codes && !codes.includes(NO_SIGNAL), source),
  }
}

/** The level is the commanded one, unless the diagnosis reports a faulty lamp: nobody knows what that still gives. */
function levelOf(level: number | undefined, mute: number | undefined, codes: readonly number[]) {
  if (mute === MUTE.on) return 0
  return isLampFaulty(codes) ? undefined : level
}

/** The document reads a sensor by selecting it first, which changes nothing else. */
async function temperatureAt({ get, put }: Parameters, sensor: number): Promise<number | undefined> {
  if (!(await put(NEC_PARAMETERS.selectSensor, sensor))) return undefined
  const halves = await get(NEC_PARAMETERS.temperature)
  return halves === undefined ? undefined : ((halves << 16) >> 16) / 2
}

async function onTimeSeconds(get: Parameters['get']): Promise<number | undefined> {
  const [high, low] = [await get(NEC_PARAMETERS.onTimeMinutesHigh), await get(NEC_PARAMETERS.onTimeMinutesLow)]
  if (high !== undefined && low !== undefined) return (high * 65_536 + low) * SECONDS_PER_MINUTE
  const halfHours = await get(NEC_PARAMETERS.onTimeHalfHours)
  return halfHours === undefined ? undefined : halfHours * SECONDS_PER_HALF_HOUR
}

export const necDriver = driver(NEC, {
  problem: (options) => lineProblem(options),
  open: openNec,
  probe: panelCandidates(7142),
})
