export interface ServerSentEvent {
  readonly name: string
  readonly data: string
}

/** It reads an event stream: given pieces of text, it returns the events that became complete. */
export function eventReader(): (piece: string) => ServerSentEvent[] {
  let rest = ''
  let name = ''
  let data: string[] = []

  const takeLine = (line: string): ServerSentEvent | undefined => {
    if (line === '') {
      const event = data.length > 0 ? { name: name || 'message', data: data.join('\n') } : undefined
      name = ''
      data = []
      return event
    }
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') name = value
    if (field === 'data') data.push(value)
    return undefined
  }

  return (piece) => {
    const text = rest + piece
    // A carriage return at the end may be half of a line end.
    const isOpenEnded = text.endsWith('\r')
    const lines = (isOpenEnded ? text.slice(0, -1) : text).split(/\r\n|\n|\r/)
    rest = (lines.pop() ?? '') + (isOpenEnded ? '\r' : '')
    return lines.map(takeLine).filter((event) => event !== undefined)
  }
}
