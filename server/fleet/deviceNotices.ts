import type { DeviceId } from '#domain/ids.ts'

export const NOTICES_CHANNEL = 'wayside_commands'

/**
 * Processes notify each other about a device, in ids only: each reads the rows itself. `accepted` means that something
 * waits to be sent, `moved` that the state of a command or a setting changed, `settings` that the settings document
 * changed.
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
