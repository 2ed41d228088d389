/** What roles are made of (P1 §6). 4 and 6 were never used. */
export const FUNCTION = {
  admin: 1,
  deviceManager: 2,
  createDevice: 3,
  analytics: 5,
  receiveEmailNotifications: 7,
} as const
export type FunctionId = (typeof FUNCTION)[keyof typeof FUNCTION]

/** As roles are put together from them, by the names of the specification. */
export const FUNCTIONS = [
  { id: FUNCTION.admin, name: 'Admin' },
  { id: FUNCTION.deviceManager, name: 'DeviceManager' },
  { id: FUNCTION.createDevice, name: 'CreateDevice' },
  { id: FUNCTION.analytics, name: 'Analytics' },
  { id: FUNCTION.receiveEmailNotifications, name: 'ReceiveEmailNotifications' },
] as const
