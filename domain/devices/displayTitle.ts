/** Names a device by one of its displays. People mean the first one if they name the device alone. */
export const displayTitle = (deviceName: string, displayNumber: number): string =>
  displayNumber === 1 ? deviceName : `${deviceName}, display ${displayNumber}`
