import { lightSpans, minutesOfSpans } from '../minutes/darkMinutes.ts'

/** Counts the minutes of a time by the kind of its periods. */
export const darkMinutes = (...given: Parameters<typeof lightSpans>) => minutesOfSpans(lightSpans(...given))
