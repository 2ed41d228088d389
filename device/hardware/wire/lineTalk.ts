import { setTimeout as pause } from 'node:timers/promises'
import { HardwareError } from '../hardware.ts'
import { type LineAddress, lateText, lineName, openLine, wordsOfFailure } from './line.ts'

/** Finds the answer in the bytes so far; undefined while it is incomplete. */
export type AnswerIn<Answer> = (received: Buffer) => Answer | undefined

/** A conversation on an open line: one question after the other, each sent once. */
export interface LineTalk {
  /** @throws what `answerIn` throws, HardwareError when the line ends or the time is up */
  ask<Answer>(question: Uint8Array, answerIn: AnswerIn<Answer>): Promise<Answer>
}

const SERIAL_SETTLES_MS = 30
/** None of these instruments sends more in one answer. */
const LONGEST_ANSWER_BYTES = 64 * 1024

/**
 * Opens a line, does the work and closes it, so that a late answer is never taken for the next one. Nothing is sent
 * again: an instrument may have carried out what it did not acknowledge.
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
    // A late answer to an abandoned question may still arrive.
    if ('path' in address) await pause(SERIAL_SETTLES_MS)
    return await work({ ask })
  } finally {
    signal.removeEventListener('abort', abort)
    line.destroy()
  }
}
