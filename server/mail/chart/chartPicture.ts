import { createIdleThread } from '#server/jobs/idleThread.ts'

const GIVEN_UP_AFTER_MS = 5_000
/** Mails are rare, and what draws is given back. */
const ENDED_WHEN_IDLE_MS = 30_000
/** More is for no mail: whoever is on a phone waits for it. */
export const LARGEST_PICTURE_BYTES = 40 * 1024

const draw = createIdleThread<string, Uint8Array>({
  program: new URL('./chartWorker.ts', import.meta.url),
  givenUpAfterMs: GIVEN_UP_AFTER_MS,
  endedWhenIdleMs: ENDED_WHEN_IDLE_MS,
})

/**
 * An SVG as PNG, drawn in a thread, one after the other. Loads what it needs when the first is asked for.
 *
 * @throws where it cannot be drawn here, or would be too large
 */
export async function pngOf(svg: string): Promise<Buffer> {
  const picture = Buffer.from(await draw(svg))
  if (picture.length > LARGEST_PICTURE_BYTES) throw new Error(`It has ${picture.length} bytes.`)
  return picture
}
