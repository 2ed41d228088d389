/**
 * Lines of LG's "RS-232C Transmission / Receiving Protocol", from the owner's manuals of its commercial displays
 * (70UL3E, "Controlling the Multiple Product"): two letters, set ID and data in hexadecimals, carriage return. The
 * answer has the second letter, the set ID, OK or NG, the data, and an x at its end.
 */
export const LG_COMMANDS = {
  power: 'ka',
  screenMute: 'kd',
  contrast: 'kg',
  brightness: 'kh',
  backlight: 'mg',
  input: 'xb',
  signal: 'sv',
  temperature: 'dn',
  elapsedHours: 'dl',
  lamp: 'dp',
  fan: 'dw',
} as const
export type LgCommand = (typeof LG_COMMANDS)[keyof typeof LG_COMMANDS]

/** This data asks for the present value of a command. */
export const ASK = [0xff]
/** This data asks `signal` whether there is one. */
export const ASK_SIGNAL = [0x02, 0xff]

const inHex = (value: number) => value.toString(16).padStart(2, '0')

export function lgLine(command: LgCommand, setId: number, data: readonly number[]): Buffer {
  return Buffer.from(`${command} ${[setId, ...data].map(inHex).join(' ')}\r`, 'latin1')
}

export interface LgAnswer {
  readonly isTaken: boolean
  readonly data: readonly number[]
}

/** Finds the answer of this display to this command, behind echoes and answers to others. */
export function lgAnswerIn(received: Buffer, command: LgCommand, setId: number): LgAnswer | undefined {
  const second = command.charAt(1)
  for (const [, letter, id = '', word, data = ''] of received
    .toString('latin1')
    .matchAll(/([a-z]) ([0-9a-f]{2}) (OK|NG)((?:[0-9a-f]{2} ?)*)x/gi)) {
    if (letter !== second || Number.parseInt(id, 16) !== setId) continue
    const bytes = (data.match(/[0-9a-f]{2}/gi) ?? []).map((byte) => Number.parseInt(byte, 16))
    return { isTaken: word?.toUpperCase() === 'OK', data: bytes }
  }
  return undefined
}

/** "Input select" has one number for a PC and another for video on the same socket. */
const INPUTS: Readonly<Record<number, string>> = {
  32: 'AV',
  64: 'Component',
  96: 'RGB',
  112: 'DVI',
  128: 'DVI',
  144: 'HDMI 1',
  145: 'HDMI 2',
  146: 'HDMI 3',
  149: 'OPS',
  150: 'HDMI 3',
  152: 'OPS',
  160: 'HDMI 1',
  161: 'HDMI 2',
  162: 'HDMI 3',
  165: 'OPS',
  166: 'HDMI 3',
  168: 'OPS',
  192: 'DisplayPort',
  193: 'DisplayPort (USB-C)',
  208: 'DisplayPort',
  209: 'DisplayPort (USB-C)',
  224: 'Player',
}

export const lgInput = (code: number): string => INPUTS[code] ?? `Input ${code}`
