import { type Given, withoutAbsent } from '#console/router/addressText.ts'

/** It reads what was kept between visits under `wayside.{key}`, or an empty record when there is nothing usable. */
export function readRemembered(key: string): Given {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(`wayside.${key}`) ?? '{}')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Given) : {}
  } catch {
    return {}
  }
}

export function remember(key: string, kept: Given) {
  localStorage.setItem(`wayside.${key}`, JSON.stringify(withoutAbsent(kept)))
}
