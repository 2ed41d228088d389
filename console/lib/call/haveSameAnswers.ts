import type { UseQueryResult } from '@tanstack/react-query'

/** What is drawn of a result. Results themselves are other objects each time somebody asks for them. */
const DRAWN = ['data', 'error', 'status', 'isPlaceholderData', 'dataUpdatedAt'] as const

/** For `memo`: whether a part with these props, results of calls among them, would be drawn as before. */
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
