import { CONSEQUENCES } from '#domain/devices/commandLabels.ts'
import { formatNumber } from '#domain/units/numbers.ts'

const devicesText = (count: number) => (count === 1 ? 'one device' : `${formatNumber(count)} devices`)

export const windowMessages = {
  whatItDoes: CONSEQUENCES.window,
  begun: (count: number) =>
    count === 1 ? 'Maintenance is set for one device.' : `Maintenance is set for ${formatNumber(count)} devices.`,
  saved: 'The maintenance is saved.',
  ended: 'The maintenance has ended.',
  deleted: 'The maintenance is deleted.',
  confirmEnd: (count: number, reason: string) =>
    count > 1
      ? `End this maintenance (${reason}) now, for all ${devicesText(count)} that it holds?`
      : `End this maintenance (${reason}) now?`,
  confirmEndTime: (reason: string) =>
    `End this time of the weekly maintenance (${reason}) now? The next times stay as they are planned.`,
  confirmEndForGood: (reason: string) => `End the weekly maintenance (${reason}) for good?`,
  confirmDelete: (reason: string) => `Delete the planned maintenance (${reason})?`,
  confirmEndAll: (count: number, devices: number) =>
    `End these ${formatNumber(count)} maintenance windows now, for ${devicesText(devices)}? Weekly ones go on with their next time.`,
  endedAll: (count: number) =>
    count === 1 ? 'One maintenance window has ended.' : `${formatNumber(count)} maintenance windows have ended.`,
  notEnded: (count: number, why: string) => `${formatNumber(count)} could not be ended: ${why}`,
} as const
