const LOCAL_TIME = /^([01]\d|2[0-3]):[0-5]\d$/
const TYPED = /^(\d{1,2})(?:[:.h]?(\d{2}))?$/

/** `HH:mm` as the calls take it, on a clock of 24 hours. */
export const isLocalTime = (text: string): boolean => LOCAL_TIME.test(text)

/** What somebody typed as a time, or undefined: `22:30`, `2230`, `7.05`, `7`. */
export function readLocalTime(typed: string): string | undefined {
  const found = TYPED.exec(typed.trim())
  if (!found) return undefined
  const [, hours = '', minutes = '00'] = found
  const time = `${hours.padStart(2, '0')}:${minutes}`
  return isLocalTime(time) ? time : undefined
}
