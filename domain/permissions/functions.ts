/** Roles consist of these (rules/permissions 1; `seeDevices`: docs/decisions/0232). 4 and 6 were never used. */
export const FUNCTION = {
  admin: 1,
  deviceManager: 2,
  createDevice: 3,
  analytics: 5,
  receiveEmailNotifications: 7,
  seeDevices: 8,
  sendStatements: 9,
} as const
export type FunctionId = (typeof FUNCTION)[keyof typeof FUNCTION]

/** Roles show these names of their functions (rules/permissions 1). */
export const FUNCTIONS = [
  { id: FUNCTION.admin, name: 'Admin' },
  { id: FUNCTION.deviceManager, name: 'DeviceManager' },
  { id: FUNCTION.createDevice, name: 'CreateDevice' },
  { id: FUNCTION.analytics, name: 'Analytics' },
  { id: FUNCTION.receiveEmailNotifications, name: 'ReceiveEmailNotifications' },
  { id: FUNCTION.seeDevices, name: 'SeeDevices' },
  { id: FUNCTION.sendStatements, name: 'SendStatements' },
] as const
