import { setTimeout as pause } from 'node:timers/promises'
import { HardwareError } from '../hardware.ts'
import { type LineAddress, lateText, lineName, openLine, wordsOfFailure } from './line.ts'

/** What of the bytes that came is an answer: undefined while it is not whole yet. */
export type AnswerIn<Answer> = (received: Buffer) => Answer | undefined

/** One talk on an open line: a question after the other, each sent once. */
export interface LineTalk {
  /** @throws what `answerIn` throws, HardwareError when the line ends or the time is up */
  ask<Answer>(question: Uint8Array, answerIn: AnswerIn<Answer>): Promise<Answer>
}

const SERIAL_SETTLES_MS = 30
/** More is not what any of these instruments says in one answer. */
const LONGEST_ANSWER_BYTES = 64 * 1024

/**
 * Opens a line, does the work and closes it, so that what comes late answers nobody's next question. Nothing is sent again:
 * an instrument may have done what it did not acknowledge.
 *
 * @param signal ends it, whatever it waits for
 */
export async function withLine<Result>(
  address: LineAddress,
  signal: AbortSignal,
  work: (talk: LineTalk) => Promise<Result>,
): Promise<Result> {
  const where = lineName(address)
  const line = await openLine(address, signal).catch((error: NodeJS.ErrnoException) => {
    throw new HardwareError(wordsOfFailure(where, error, signal))
  })
  let ended: Error | undefined
  let received: Buffer = Buffer.alloc(0)
  let look = () => {}
  const end = (words: string) => {
    ended ??= new HardwareError(words)
    look()
  }
  line.on('error', (error: NodeJS.ErrnoException) => end(wordsOfFailure(where, error, signal)))
  line.on('close', () => end(`What answers at ${where} has ended the connection.`))
  line.on('end', () => line.destroy())
  line.on('data', (bytes: Buffer) => {
    received = Buffer.concat([received, bytes])
    if (received.length > LONGEST_ANSWER_BYTES) end(`What answers at ${where} says more than such an instrument would.`)
    look()
  })
  const abort = () => end(lateText(where))
  signal.addEventListener('abort', abort)

  const ask = <Answer>(question: Uint8Array, answerIn: AnswerIn<Answer>) =>
    new Promise<Answer>((resolve, reject) => {
      // What came before the question is no answer to it.
      received = Buffer.alloc(0)
      look = () => {
        try {
          const answer = ended ? undefined : answerIn(received)
          if (answer !== undefined) resolve(answer)
          else if (ended) reject(ended)
        } catch (error) {
          reject(error)
        }
      }
      if (!ended) line.write(question)
      look()
    })

  try {
    if (signal.aborted) abort()
    // An answer to somebody who gave up may be under way still.
    if ('path' in address) await pause(SERIAL_SETTLES_MS)
    return await work({ ask })
  } finally {
    signal.removeEventListener('abort', abort)
    line.destroy()
  }
}
