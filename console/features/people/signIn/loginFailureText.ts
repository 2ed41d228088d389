import { CallFailed, failureMessage } from '#console/lib/call/CallFailed.ts'
import { startMessages } from '#console/lib/call/startMessages.ts'

/** A 401 has a sentence of its own; any other failure shows the server's text (rules/messages 3). */
export function loginFailureText(failure: unknown): string {
  if (failure instanceof CallFailed && failure.status === 401) return startMessages.loginFailed
  return failureMessage(failure) || startMessages.somethingFailed
}
