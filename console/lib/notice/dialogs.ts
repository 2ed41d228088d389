import type { Call } from '#contract/call/call.ts'
import { Waiting } from './Waiting.ts'

interface Words {
  readonly title: string
  readonly text: string
  /** The change cannot be undone, so Yes is drawn as a warning. */
  readonly isDangerous?: boolean
}

export interface Question extends Words {
  /** Yes makes this call. Where it needs a fresh proof, the same dialog asks for it. */
  readonly call?: Pick<Call, 'stepUp'>
  /** It makes the call and never rejects. The question stays open, for a proof that the server may require. */
  readonly send?: () => Promise<void>
  /** There is nothing to decide, so one button closes it. */
  readonly isNotice?: boolean
  /** The text is shown selected below the message, to be copied. */
  readonly selected?: string
  readonly onAnswer: (isYes: boolean) => void
}

export const waitingQuestions = new Waiting<Question>()

/** It shows the shared "Ok" modal and resolves when it is closed. */
export function alertDialog(title: string, text: string): Promise<void> {
  return new Promise((resolve) => waitingQuestions.put({ title, text, isNotice: true, onAnswer: () => resolve() }))
}

export function selectedTextDialog(title: string, text: string, selected: string): void {
  waitingQuestions.put({ title, text, selected, isNotice: true, onAnswer: () => undefined })
}

/** It shows the shared "Yes / No" modal; closing it in any other way is a No. */
export function confirmDialog(words: Words & Pick<Question, 'call'>): Promise<boolean> {
  return new Promise((resolve) => waitingQuestions.put({ ...words, onAnswer: resolve }))
}

/**
 * It is a `confirmDialog` whose Yes sends a call of which only the server knows whether it needs a fresh proof. Where
 * it does, the same dialog asks for it.
 *
 * @returns the answer, or undefined for No
 */
export function confirmAndSend<Answer>(words: Words, send: () => Promise<Answer>): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    let isSent = false
    waitingQuestions.put({
      ...words,
      send: () => {
        isSent = true
        return send().then(resolve, reject)
      },
      // Closing the question does not undo a call that was sent.
      onAnswer: () => {
        if (!isSent) resolve(undefined)
      },
    })
  })
}
