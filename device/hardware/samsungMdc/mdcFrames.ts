import { HardwareError } from '../hardware.ts'

/**
 * Frames of Samsung's "Multiple Display Control Protocol" (Ver. 13.7c, 2016-02-23, SEC-VD-DSW), identical over RS-232
 * (9600 bps, 8N1) and TCP port 1515: header 0xAA, command, id of the display, length, data, and the sum of all but the
 * header in one byte. An answer has the command 0xFF, and as its data 'A' or 'N', the command that it answers, and
 * values or the code of an error.
 */
const HEADER = 0xaa
const ANSWER = 0xff
const ACKNOWLEDGED = 0x41
const REFUSED = 0x4e
/** A panel that requires TLS and a PIN begins with this ("Secured Protocol"). */
const SECURED = Buffer.from('MDCSTART')

/** Commands by the names of the document. */
export const MDC = {
  status: 0x00,
  rgb: 0x06,
  displayStatus: 0x0d,
  power: 0x11,
  inputSource: 0x14,
  contrast: 0x24,
  brightness: 0x25,
  manualLamp: 0x58,
  panelOnTime: 0x83,
  panelOnOff: 0xf9,
} as const

const sumOf = (bytes: Uint8Array) => bytes.reduce((sum, byte) => (sum + byte) & 0xff, 0)

export function mdcFrame(command: number, displayId: number, data: readonly number[] = []): Buffer {
  const body = [command, displayId, data.length, ...data]
  return Buffer.from([HEADER, ...body, sumOf(Uint8Array.from(body))])
}

export interface MdcAnswer {
  readonly isAcknowledged: boolean
  /** The values of the command, or the code of the error. */
  readonly values: readonly number[]
}

/**
 * Finds this display's answer to this command, wherever it begins, and skips damaged or older frames and those of other
 * displays.
 *
 * @throws HardwareError when the panel requires the secured protocol
 */
export function mdcAnswerIn(received: Buffer, command: number, displayId: number): MdcAnswer | undefined {
  if (received.subarray(0, SECURED.length).equals(SECURED)) {
    throw new HardwareError('The panel wants the secured protocol; switch it to the plain one in its network menu.')
  }
  for (let at = received.indexOf(HEADER); at >= 0; at = received.indexOf(HEADER, at + 1)) {
    const length = received[at + 3]
    if (length === undefined || received.length < at + 5 + length) continue
    const body = received.subarray(at + 1, at + 4 + length)
    const isWhole = sumOf(body) === received[at + 4 + length] && length >= 2
    const [kind, id, , verdict, answered, ...values] = body
    if (!isWhole || kind !== ANSWER || id !== displayId || answered !== command) continue
    if (verdict === ACKNOWLEDGED || verdict === REFUSED) return { isAcknowledged: verdict === ACKNOWLEDGED, values }
  }
  return undefined
}

/** "Input Source Control", 0x14; where the document has separate sources for PC and video, both get one name. */
const SOURCES: Readonly<Record<number, string>> = {
  4: 'S-Video',
  8: 'Component',
  12: 'AV',
  13: 'AV 2',
  14: 'SCART',
  20: 'PC',
  24: 'DVI',
  30: 'BNC',
  31: 'DVI',
  32: 'MagicInfo',
  33: 'HDMI 1',
  34: 'HDMI 1',
  35: 'HDMI 2',
  36: 'HDMI 2',
  37: 'DisplayPort 1',
  38: 'DisplayPort 2',
  39: 'DisplayPort 3',
  48: 'TV',
  49: 'HDMI 3',
  50: 'HDMI 3',
  51: 'HDMI 4',
  52: 'HDMI 4',
  64: 'TV',
  80: 'Plug-in module',
  85: 'HDBaseT',
  96: 'MagicInfo S',
  97: 'Screen mirroring',
  98: 'Internal USB',
  99: 'URL launcher',
  101: 'Web browser',
}

export const mdcSource = (code: number): string => SOURCES[code] ?? `Source ${code}`
