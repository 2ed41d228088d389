/** A part without faults reports this; a part that reports nothing about them is unknown instead. */
export const NO_FAULT = 'none'
/** A UPS that gives no power reports this among its alarms. */
export const OUTPUT_OFF = 'output off'

type Words = string | number | undefined

/** Joins words with commas, as `diagnosis` of a display and `alarm` of a UPS contain them. */
export const faultLabel = (words: readonly string[]): string => (words.length === 0 ? NO_FAULT : words.join(', '))

export const isFault = (words: Words): boolean => typeof words === 'string' && words !== '' && words !== NO_FAULT

export const namesFault = (words: Words, fault: string): boolean =>
  String(words ?? '')
    .split(', ')
    .includes(fault)
