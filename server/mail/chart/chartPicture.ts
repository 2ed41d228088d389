import { IdleThread } from '#server/jobs/IdleThread.ts'

const GIVEN_UP_AFTER_MS = 5_000
/** Mails are rare, so the thread that draws is ended. */
const ENDED_WHEN_IDLE_MS = 30_000
/** A larger picture is too much for a mail: its reader on a phone waits for it. */
export const LARGEST_PICTURE_BYTES = 40 * 1024

const drawing = new IdleThread<string, Uint8Array>({
  program: new URL('./chartWorker.ts', import.meta.url),
  givenUpAfterMs: GIVEN_UP_AFTER_MS,
  endedWhenIdleMs: ENDED_WHEN_IDLE_MS,
})

/**
 * Draws an SVG as PNG in a thread, one after the other. It loads what it needs with the first one.
 *
 * @throws when this machine cannot draw it, or it would be too large
 */
export async function pngOf(svg: string): Promise<Buffer> {
  const picture = Buffer.from(await drawing.ask(svg))
  if (picture.length > LARGEST_PICTURE_BYTES) throw new Error(`It has ${picture.length} bytes.`)
  return picture
}
