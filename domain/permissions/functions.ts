/** What roles are made of (P1 §6; `seeDevices`: docs/decisions/0232). 4 and 6 were never used. */
export const FUNCTION = {
  admin: 1,
  deviceManager: 2,
  createDevice: 3,
  analytics: 5,
  receiveEmailNotifications: 7,
  seeDevices: 8,
} as const
export type FunctionId = (typeof FUNCTION)[keyof typeof FUNCTION]

/** As roles are put together from them, by the names of the specification and in its manner. */
export const FUNCTIONS = [
  { id: FUNCTION.admin, name: 'Admin' },
  { id: FUNCTION.deviceManager, name: 'DeviceManager' },
  { id: FUNCTION.createDevice, name: 'CreateDevice' },
  { id: FUNCTION.analytics, name: 'Analytics' },
  { id: FUNCTION.receiveEmailNotifications, name: 'ReceiveEmailNotifications' },
  { id: FUNCTION.seeDevices, name: 'SeeDevices' },
] as const
