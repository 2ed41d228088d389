/** What roles are made of (P1 §6). 4 and 6 were never used. */
export const FUNCTION = {
  admin: 1,
  deviceManager: 2,
  createDevice: 3,
  analytics: 5,
  receiveEmailNotifications: 7,
} as const
export type FunctionId = (typeof FUNCTION)[keyof typeof FUNCTION]
