/** A number called `id` in the data of a route, which anybody may have written: all else is read again by it. */
export function idInRouteData(data: unknown): number {
  const content = typeof data === 'string' ? parsed(data) : data
  return typeof content === 'object' && content !== null && 'id' in content ? Number(content.id) : Number.NaN
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
