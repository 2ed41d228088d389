/** Returns true for errors that the same data would meet again: data exception, constraint, duplicate, limits. */
export function isRefusalOfData(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^(?:21|22|23|54)...$/.test(code)
}
