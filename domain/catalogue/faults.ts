/** What a part says of its faults while it has none; a part that says nothing of them is unknown instead. */
export const NO_FAULT = 'none'
/** Among what a UPS raises: it gives no power. */
export const OUTPUT_OFF = 'output off'

type Words = string | number | undefined

/** In words with commas between them, as `diagnosis` of a display and `alarm` of a UPS have them. */
export const faultLabel = (words: readonly string[]): string => (words.length === 0 ? NO_FAULT : words.join(', '))

export const isFault = (words: Words): boolean => typeof words === 'string' && words !== '' && words !== NO_FAULT

export const namesFault = (words: Words, fault: string): boolean =>
  String(words ?? '')
    .split(', ')
    .includes(fault)
