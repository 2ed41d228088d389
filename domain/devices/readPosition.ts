const PAIR = /^\s*(-?\d{1,3}(?:\.\d+)?)\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/

/** Reads degrees as maps show them, such as `59.9139, 10.7522`; undefined when they are no place on earth. */
export function readPosition(text: string): { readonly latitude: number; readonly longitude: number } | undefined {
  const [, latitude, longitude] = (PAIR.exec(text) ?? []).map(Number)
  if (latitude === undefined || longitude === undefined) return undefined
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined
}
