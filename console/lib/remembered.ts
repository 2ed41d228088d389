import { type Given, withoutAbsent } from '#console/router/addressText.ts'

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
