export interface HeardEvent {
  readonly event: string
  readonly data: unknown
}

export interface HeardStream {
  readonly heard: HeardEvent[]
  /** Resolves when the server has ended the stream, or `close` has. */
  readonly ended: Promise<void>
  close(): void
}

/** Reads the live stream of a whole server as a program would; ends with `close`. */
export async function listenLive(
  httpUrl: string,
  token: string,
  watched: { readonly deviceIds: readonly number[]; readonly stateDeviceIds?: readonly number[] },
  onEvent: (event: HeardEvent) => void = () => undefined,
  headers: Readonly<Record<string, string>> = {},
): Promise<HeardStream> {
  const leaving = new AbortController()
  const answer = await fetch(`${httpUrl}/api/Live/Watch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ stateDeviceIds: [], ...watched }),
    signal: leaving.signal,
  })
  const { body } = answer
  if (!answer.ok || body === null) throw new Error(`The live stream was refused with ${answer.status}.`)
  const heard: HeardEvent[] = []
  let text = ''
  const reading = (async () => {
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const [, event = '', data = 'null'] = /^event: (.*)\ndata: (.*)$/s.exec(block) ?? []
        const one = { event, data: JSON.parse(data) as unknown }
        heard.push(one)
        onEvent(one)
      }
    }
  })()
  // After `close` it does not matter how it ended.
  const ended = reading.catch(() => undefined)
  return { heard, ended, close: () => leaving.abort() }
}
