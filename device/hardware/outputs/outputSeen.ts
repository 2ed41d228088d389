export interface OutputSeen {
  readonly isConnected: boolean
  /** True while it sends a picture. */
  readonly isOn: boolean
  /** The resolution reads `1920x1080`; undefined while there is no picture. */
  readonly resolution: string | undefined
}

/**
 * Reads what `xrandr --query` prints (xrandr 1.5): `HDMI-1 connected primary 1920x1080+0+0 (normal left …) 600mm x
 * 340mm`.
 *
 * @returns undefined if the computer has no such output
 */
export function xrandrOutput(printed: string, output: string): OutputSeen | undefined {
  for (const line of printed.split('\n')) {
    const [name, state, ...words] = line.split(' ')
    if (name !== output || !['connected', 'disconnected', 'unknown'].includes(state ?? '')) continue
    const [, resolution] = /(\d{1,5}x\d{1,5})\+-?\d+\+-?\d+/.exec(words.join(' ')) ?? []
    return { isConnected: state === 'connected', isOn: resolution !== undefined, resolution }
  }
  return undefined
}

/**
 * Reads what `wlr-randr` prints: a line for each output that has a display, with its details indented below. An output
 * without a display is missing.
 */
export function wlrRandrOutput(printed: string, output: string): OutputSeen {
  const blocks = printed.split(/\n(?=\S)/)
  const block = blocks.find((one) => one.startsWith(`${output} `) || one.startsWith(`${output}\n`))
  if (block === undefined) return { isConnected: false, isOn: false, resolution: undefined }
  const isOn = /^ +Enabled: yes$/m.test(block)
  const [, resolution] = /^ +(\d+x\d+) px.*\bcurrent\b/m.exec(block) ?? []
  return { isConnected: true, isOn, resolution: isOn ? resolution : undefined }
}
