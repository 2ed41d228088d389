import { failureMessage } from '#console/lib/call/CallFailed.ts'
import type { Sent } from './useSectionForm.ts'

interface Other {
  /** "Display 2" */
  readonly name: string
  readonly send: () => Promise<Sent>
}

/**
 * It sends the same changes to other displays after the first one has them. What fails there is an error that names the
 * display, because the first one has its settings all the same.
 */
export async function sendToAll(first: () => Promise<Sent>, others: readonly Other[]): Promise<Sent> {
  const sent = await first()
  if (sent.answer.length > 0) return sent
  const errors: string[] = []
  let { isQueued } = sent
  for (const { name, send } of others) {
    try {
      const { answer, isQueued: isThisQueued } = await send()
      errors.push(...answer.map((error) => `${name}: ${error}`))
      isQueued ||= isThisQueued
    } catch (failure) {
      errors.push(`${name}: ${failureMessage(failure)}`)
    }
  }
  return { answer: sent.answer, isQueued, otherErrors: errors }
}
