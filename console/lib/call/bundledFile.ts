import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { CallFailed } from './CallFailed.ts'
import { messages } from './messages.ts'

/** The build puts such a file beside the program, because its data is read late and in parts. */
export async function readBundledJson<Content>(address: string): Promise<Content> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`)
  return (await answer.json()) as Content
}

/** @returns no bytes where the server has nothing at this address */
export async function readBundledBytes(address: string): Promise<Uint8Array> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`)
  return new Uint8Array(await answer.arrayBuffer())
}

export function useBundledJson<Content>(address: string): UseQueryResult<Content, CallFailed> {
  return useQuery<Content, CallFailed>({
    queryKey: [address],
    queryFn: () =>
      readBundledJson<Content>(address).catch(() => {
        throw new CallFailed('network', 0, messages.partNotLoaded)
      }),
    meta: { shows: [] },
  })
}
