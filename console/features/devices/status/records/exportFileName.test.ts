import { expect, test } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import { exportFileName } from './exportFileName.ts'

const device = 41 as DeviceId

test('a file is called after what it holds, its device and the day of the viewer', () => {
  const lateEvening = new Date(2026, 10, 9, 23, 59)
  expect(exportFileName('rawData', device, lateEvening)).toBe('rawData_41_2026-11-09.csv')
  expect(exportFileName('msgData', device, lateEvening)).toBe('msgData_41_2026-11-09.csv')
})
