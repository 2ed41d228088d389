import type { Call } from '#contract/call/call.ts'
import { Waiting } from './Waiting.ts'

interface Words {
  readonly title: string
  readonly text: string
  /** The change cannot be taken back: Yes is drawn as a warning. */
  readonly isDangerous?: boolean
  /** What Yes does. Where this call asks for a fresh proof, the same dialog asks for it. */
  readonly call?: Pick<Call, 'stepUp'>
}

export interface Question extends Words {
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
export function confirmDialog(words: Words): Promise<boolean> {
  return new Promise((resolve) => waitingQuestions.put({ ...words, onAnswer: resolve }))
}
