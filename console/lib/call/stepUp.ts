import { Waiting } from '#console/lib/notice/Waiting.ts'

export interface StepUpRequest {
  /** @param isProved false if they declined */
  readonly onEnd: (isProved: boolean) => void
}

export const waitingStepUps = new Waiting<StepUpRequest>()

let asked: Promise<boolean> | undefined

/** It asks for a fresh proof of identity; all calls that wait for one meanwhile share the question. */
export function proveOnceMore(): Promise<boolean> {
  asked ??= new Promise<boolean>((resolve) => waitingStepUps.put({ onEnd: resolve })).finally(() => {
    asked = undefined
  })
  return asked
}
