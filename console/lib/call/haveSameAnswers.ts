import type { UseQueryResult } from '@tanstack/react-query'

/** Only these properties of a result are drawn; results themselves are new objects at each render. */
const DRAWN = ['data', 'error', 'status', 'isPlaceholderData', 'dataUpdatedAt'] as const

/** It compares props for `memo`, results of calls among them, by whether the part would be drawn the same. */
export function haveSameAnswers<Props extends object>(before: Props, after: Props): boolean {
  const names = Object.keys({ ...before, ...after }) as (keyof Props)[]
  return names.every((name) => isSame(before[name], after[name]))
}

function isSame(before: unknown, after: unknown): boolean {
  if (!isResult(before) || !isResult(after)) return Object.is(before, after)
  return DRAWN.every((name) => Object.is(before[name], after[name]))
}

const isResult = (value: unknown): value is UseQueryResult =>
  typeof value === 'object' && value !== null && 'dataUpdatedAt' in value
