/** Addresses and calls name one cell of the heat map like this: `1-09` is Monday from 9 to 10 o'clock. */
export const WEEK_HOUR = /^[1-7]-(?:[01]\d|2[0-3])$/

export const weekHourText = (weekday: number, hour: number): string => `${weekday}-${String(hour).padStart(2, '0')}`
