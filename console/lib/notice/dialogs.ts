import type { Call } from '#contract/call/call.ts'
import { Waiting } from './Waiting.ts'

interface Words {
  readonly title: string
  readonly text: string
  /** The change cannot be taken back: Yes is drawn as a warning. */
  readonly isDangerous?: boolean
}

export interface Question extends Words {
  /** What Yes does. Where this call asks for a fresh proof, the same dialog asks for it. */
  readonly call?: Pick<Call, 'stepUp'>
  /** Does it; never rejects. The question stays meanwhile, for a proof that the server may ask for. */
  readonly send?: () => Promise<void>
  /** Something to know, with nothing to choose. */
  readonly isTold?: boolean
  /** Shown selected below the text, for somebody to copy. */
  readonly selected?: string
  readonly onAnswer: (isYes: boolean) => void
}

/** Asked by `console/app/notices`. */
export const waitingQuestions = new Waiting<Question>()

/** The shared "Ok" modal; resolves when it is closed. */
export function alertDialog(title: string, text: string): Promise<void> {
  return new Promise((resolve) => waitingQuestions.put({ title, text, isTold: true, onAnswer: () => resolve() }))
}

/** As `alertDialog`, with something to copy. */
export function selectedTextDialog(title: string, text: string, selected: string): void {
  waitingQuestions.put({ title, text, selected, isTold: true, onAnswer: () => undefined })
}

/** The shared "Yes / No" modal; closing it any other way is a No. */
export function confirmDialog(words: Words & Pick<Question, 'call'>): Promise<boolean> {
  return new Promise((resolve) => waitingQuestions.put({ ...words, onAnswer: resolve }))
}

/**
 * As `confirmDialog`, and Yes sends a call of which only the server knows whether it needs a fresh proof. Where it does, the same
 * dialog asks for it.
 *
 * @returns the answer; undefined: No
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
      // Closing the question takes nothing back.
      onAnswer: () => {
        if (!isSent) resolve(undefined)
      },
    })
  })
}
