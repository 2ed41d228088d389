const LOCAL_TIME = /^([01]\d|2[0-3]):[0-5]\d$/
const TYPED = /^(\d{1,2})(?:[:.h]?(\d{2}))?$/

/** The calls take `HH:mm`, on a clock of 24 hours. */
export const isLocalTime = (text: string): boolean => LOCAL_TIME.test(text)

/** It reads a typed time, such as `22:30`, `2230`, `7.05` or `7`, and returns undefined for anything else. */
export function readLocalTime(typed: string): string | undefined {
  const found = TYPED.exec(typed.trim())
  if (!found) return undefined
  const [, hours = '', minutes = '00'] = found
  const time = `${hours.padStart(2, '0')}:${minutes}`
  return isLocalTime(time) ? time : undefined
}
