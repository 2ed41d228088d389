import { formatNumber } from './numbers.ts'

const UNITS = ['B', 'kB', 'MB', 'GB'] as const

/** Formats a file size in steps of a thousand: `812 B`, `1.23 MB`. */
export function formatBytes(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)))
  return `${formatNumber(bytes / 1000 ** step)} ${UNITS[step]}`
}
