/** A device by one of its displays. The first is what people mean who name the device alone. */
export const displayTitle = (deviceName: string, displayNumber: number): string =>
  displayNumber === 1 ? deviceName : `${deviceName}, display ${displayNumber}`
