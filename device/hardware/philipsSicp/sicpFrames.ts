/**
 * Frames of Philips' "SICP Commands Document" (the same from V1.88 to V2.10), over RS-232 (9600 bps, 8N1) and TCP port
 * 5000: total length, monitor ID, group (0 means that the monitor ID counts), data, and the exclusive or of all before.
 * The first byte of the data is the command, which a report repeats; a mere acknowledgement has 0 there and a verdict.
 */
export const SICP = {
  operatingHours: 0x0f,
  setPower: 0x18,
  power: 0x19,
  temperature: 0x2f,
  setVideo: 0x32,
  video: 0x33,
  hasSignal: 0x59,
  backlight: 0x71,
  setBacklight: 0x72,
  source: 0xad,
} as const

export type SicpFraming = 'withGroup' | 'withoutGroup'

const NO_GROUP = 0
const SHORTEST_FRAME = 4
const LONGEST_FRAME = 40
const COMMUNICATION_CONTROL = 0
const VERDICTS: Readonly<Record<number, SicpVerdict>> = { 6: 'done', 21: 'notUnderstood', 24: 'notAvailable' }
export type SicpVerdict = 'done' | 'notUnderstood' | 'notAvailable'

const exclusiveOr = (bytes: Uint8Array) => bytes.reduce((sum, byte) => sum ^ byte, 0)

export function sicpFrame(data: readonly number[], monitorId: number, framing: SicpFraming = 'withGroup'): Buffer {
  const head = framing === 'withGroup' ? [monitorId, NO_GROUP] : [monitorId]
  const bytes = [head.length + data.length + 2, ...head, ...data]
  return Buffer.from([...bytes, exclusiveOr(Uint8Array.from(bytes))])
}

export interface SicpAnswer {
  /** Undefined for a report. */
  readonly verdict: SicpVerdict | undefined
  /** The values of a report after its command. */
  readonly values: readonly number[]
}

/**
 * Finds this display's report or verdict on the command, wherever it begins, and skips damaged frames and those of
 * other displays. The group byte is ignored, because displays fill it as they like.
 */
export function sicpAnswerIn(
  received: Buffer,
  command: number,
  monitorId: number,
  framing: SicpFraming = 'withGroup',
): SicpAnswer | undefined {
  const headBytes = framing === 'withGroup' ? 3 : 2
  for (let at = 0; at < received.length; at++) {
    const length = received[at] ?? 0
    if (length < SHORTEST_FRAME || length > LONGEST_FRAME || received.length < at + length) continue
    const frame = received.subarray(at, at + length)
    if (exclusiveOr(frame) !== 0 || frame[1] !== monitorId) continue
    const [kind, ...values] = frame.subarray(headBytes, -1)
    if (kind === command) return { verdict: undefined, values }
    const verdict = VERDICTS[values[0] ?? -1]
    if (kind === COMMUNICATION_CONTROL && values.length === 1 && verdict) return { verdict, values: [] }
  }
  return undefined
}

/** "Current source"; 0x00 means none. */
const SOURCES: Readonly<Record<number, string>> = {
  1: 'Video',
  2: 'S-Video',
  3: 'Component',
  5: 'VGA',
  6: 'HDMI 2',
  7: 'DisplayPort 2',
  8: 'USB 2',
  9: 'DVI (card)',
  10: 'DisplayPort 1',
  11: 'OPS (card)',
  12: 'USB 1',
  13: 'HDMI 1',
  14: 'DVI',
  15: 'HDMI 3',
  16: 'Browser',
  17: 'SmartCMS',
  18: 'Media server',
  19: 'Internal storage',
  22: 'Media player',
  23: 'PDF player',
  24: 'App',
  25: 'HDMI 4',
  26: 'VGA 2',
  27: 'VGA 3',
  28: 'Whiteboard',
  29: 'CMND & Play',
  30: 'Launcher',
  31: 'USB-C',
  32: 'Kiosk',
  34: 'Tuner',
  35: 'Google Cast',
  37: 'USB-C 2',
  38: 'Screenshare',
}

export const sicpSource = (code: number): string => SOURCES[code] ?? `Source ${code}`
