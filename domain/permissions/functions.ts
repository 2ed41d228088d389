/** What roles are made of (P1 §6). 4 and 6 were never used. */
export const FUNCTION = {
  admin: 1,
  deviceManager: 2,
  createDevice: 3,
  analytics: 5,
  receiveEmailNotifications: 7,
} as const
export type FunctionId = (typeof FUNCTION)[keyof typeof FUNCTION]

export const FUNCTIONS: readonly { readonly id: FunctionId; readonly name: string }[] = [
  { id: 1, name: 'Admin' },
  { id: 2, name: 'DeviceManager' },
  { id: 3, name: 'CreateDevice' },
  { id: 5, name: 'Analytics' },
  { id: 7, name: 'ReceiveEmailNotifications' },
]
