/**
 * Messages of NEC's "External Control" (External Control Manual, P/V/X series, and "External Control, common"),
 * identical over RS-232 (9600 bps, 8N1) and TCP port 7142: SOH, '0', the receiver, the sender, a letter for the kind,
 * the length in two hexadecimal digits, STX, data in hexadecimal digits, ETX, the exclusive or of all but SOH, and CR.
 * A display is addressed by a letter from 'A' (monitor ID 1) on, the controller by '0'.
 */
const [SOH, STX, ETX, CR] = [0x01, 0x02, 0x03, 0x0d]
const CONTROLLER = 0x30
const FIRST_DISPLAY = 0x41
const HEADER_BYTES = 7

/** Operation codes of parameters, by the names of NEC's own SDK (necpdsdk, "opcodes"). */
export const NEC_PARAMETERS = {
  /** The manuals call it "BRIGHTNESS" or, on newer models, "BACKLIGHT". */
  backlight: '0010',
  contrast: '0012',
  input: '0060',
  blackLevel: '0092',
  /** Half hours since the display was made. */
  onTimeHalfHours: '00FF',
  selectSensor: '0278',
  /** Half degrees, with a sign. */
  temperature: '0279',
  screenMute: '10B6',
  /** Minutes, on newer models whose half hours would overflow. */
  onTimeMinutesHigh: '11FE',
  onTimeMinutesLow: '11FF',
} as const
export type NecParameter = (typeof NEC_PARAMETERS)[keyof typeof NEC_PARAMETERS]

/** The kinds of messages, and the kind of each answer. */
const ANSWERS = { A: 'B', C: 'D', E: 'F' } as const
export type NecKind = keyof typeof ANSWERS

const exclusiveOr = (bytes: Uint8Array) => bytes.reduce((sum, byte) => sum ^ byte, 0)
export const inHex = (value: number, digits: number) => value.toString(16).toUpperCase().padStart(digits, '0')

/** @param kind A is a command, C reads a parameter, E sets one */
export function necMessage(kind: NecKind, monitorId: number, data: string): Buffer {
  const letter = FIRST_DISPLAY + monitorId - 1
  const head = `0${String.fromCharCode(letter)}0${kind}${inHex(data.length + 2, 2)}`
  const body = Buffer.concat([Buffer.from(head, 'latin1'), Buffer.of(STX), Buffer.from(data, 'latin1'), Buffer.of(ETX)])
  return Buffer.concat([Buffer.of(SOH), body, Buffer.of(exclusiveOr(body), CR)])
}

/**
 * Finds the data of this display's answer, wherever it begins, and skips damaged messages and those of other displays.
 * A display answers `BE` alone when it does not know the message, or not now.
 */
export function necAnswerIn(received: Buffer, kind: NecKind, monitorId: number): string | undefined {
  const from = FIRST_DISPLAY + monitorId - 1
  for (let at = received.indexOf(SOH); at >= 0; at = received.indexOf(SOH, at + 1)) {
    const length = Number.parseInt(received.toString('latin1', at + 5, at + HEADER_BYTES), 16)
    const end = at + HEADER_BYTES + length
    if (!(length >= 2) || received.length < end + 2) continue
    const body = received.subarray(at + 1, end)
    const isWhole =
      exclusiveOr(body) === received[end] && received[at + HEADER_BYTES] === STX && received[end - 1] === ETX
    const isTo = received[at + 2] === CONTROLLER && received[at + 3] === from
    const data = received.toString('latin1', at + HEADER_BYTES + 1, end - 1)
    const said = String.fromCharCode(received[at + 4] ?? 0)
    // A display that does not know a message answers as to a command, whatever was sent.
    if (isWhole && isTo && (said === ANSWERS[kind] || (said === 'B' && data === UNKNOWN))) return data
  }
  return undefined
}

/** "Null message". */
const UNKNOWN = 'BE'

/** Returns the value of a parameter that the display has or accepted; undefined when this model lacks it. */
export function necValueIn(data: string, parameter: NecParameter): number | undefined {
  // The groups are result, operation, its kind, its maximum and its value.
  const [, result, of, value] = /^([0-9A-F]{2})([0-9A-F]{4})[0-9A-F]{6}([0-9A-F]{4})$/i.exec(data) ?? []
  return result === '00' && of?.toUpperCase() === parameter ? Number.parseInt(value ?? '', 16) : undefined
}

/** "Power status read" (01D6) and "power control" (C203D6), with their answers. */
export const NEC_POWER = { ask: '01D6', set: 'C203D6', on: 1, standby: 2, suspended: 3, off: 4 } as const

/** Reads the answer to `NEC_POWER.ask`; undefined when it is an error. */
export function necPowerIn(data: string): number | undefined {
  const [, state] = /^0200D6[0-9A-F]{6}([0-9A-F]{4})$/i.exec(data) ?? []
  return state === undefined ? undefined : Number.parseInt(state, 16)
}

export const isNecPowerTaken = (data: string, state: number): boolean =>
  data.toUpperCase() === `00${NEC_POWER.set}${inHex(state, 4)}`

/** "Self-diagnosis status read". */
export const ASK_DIAGNOSIS = 'B1'
export const NO_SIGNAL = 0xb0

/** Returns the codes of faults, none when there are none; undefined when the display does not tell. */
export function necDiagnosisIn(data: string): readonly number[] | undefined {
  if (!/^A1([0-9A-F]{2})+$/i.test(data)) return undefined
  const codes = (data.slice(2).match(/../g) ?? []).map((code) => Number.parseInt(code, 16))
  return codes.filter((code) => code !== 0)
}

const DIAGNOSES: Readonly<Record<number, string>> = {
  112: 'standby power 3.3 V',
  113: 'standby power 5 V',
  114: 'panel power 12 V',
  120: 'backlight power 24 V',
  128: 'fan 1',
  129: 'fan 2',
  130: 'fan 3',
  144: 'backlight',
  145: 'backlight',
  160: 'too hot, shut down',
  161: 'too hot, half of its light',
  162: 'hotter than its owner wants',
  176: 'no signal',
  208: 'its log is full',
  209: 'clock',
  224: 'its memory',
}

/** These mean the backlight itself, or the power that only the backlight needs. */
const LAMP_CODES: readonly number[] = [0x78, 0x90, 0x91]
export const isLampFaulty = (codes: readonly number[]): boolean => codes.some((code) => LAMP_CODES.includes(code))

const wordOf = (code: number) => DIAGNOSES[code] ?? `error ${inHex(code, 2)}h`

export const diagnosisLabel = (codes: readonly number[]): string => codes.map(wordOf).join(', ')

/** Returns the faults without a field of their own: neither the lamp nor the signal. */
export const otherDiagnoses = (codes: readonly number[]): readonly string[] =>
  codes.filter((code) => code !== NO_SIGNAL && !LAMP_CODES.includes(code)).map(wordOf)

/** "Input", 0060. */
const INPUTS: Readonly<Record<number, string>> = {
  1: 'VGA',
  2: 'RGB/HV',
  3: 'DVI',
  4: 'DVI 2',
  5: 'Video 1',
  6: 'Video 2',
  7: 'S-Video',
  10: 'TV',
  12: 'DVD/HD 1',
  13: 'Option slot',
  14: 'DVD/HD 2',
  15: 'DisplayPort 1',
  16: 'DisplayPort 2',
  17: 'HDMI 1',
  18: 'HDMI 2',
  19: 'HDMI 3',
  20: 'USB',
  128: 'DisplayPort 3',
  130: 'HDMI 3',
  131: 'HDMI 4',
  135: 'Media player',
  136: 'Compute module',
}

export const necInput = (code: number): string => INPUTS[code] ?? `Input ${code}`
