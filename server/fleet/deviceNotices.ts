import type { DeviceId } from '#domain/ids.ts'

export const NOTICES_CHANNEL = 'wayside_commands'

/**
 * What processes tell each other about a device, in ids only: every one reads the rows behind it by itself.
 * `accepted`: something waits to be sent. `moved`: the state of a command or of a setting changed. `settings`: the
 * settings document changed.
 */
export interface Notice {
  readonly kind: 'accepted' | 'moved' | 'settings'
  readonly deviceId: DeviceId
}

export const noticeText = ({ kind, deviceId }: Notice) => `${kind} ${deviceId}`

export function readNotice(text: string): Notice {
  const [kind, deviceId] = text.split(' ')
  return { kind: kind as Notice['kind'], deviceId: Number(deviceId) as DeviceId }
}
