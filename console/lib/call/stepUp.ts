import { Waiting } from '#console/lib/notice/Waiting.ts'

export interface StepUpRequest {
  /** @param isProved false: they did not want to */
  readonly onEnd: (isProved: boolean) => void
}

/** Asked by `console/app/notices`. */
export const waitingStepUps = new Waiting<StepUpRequest>()

let asked: Promise<boolean> | undefined

/** Asks who is signed in to prove once more who they are; all calls that wait for it meanwhile are asked about once. */
export function proveOnceMore(): Promise<boolean> {
  asked ??= new Promise<boolean>((resolve) => waitingStepUps.put({ onEnd: resolve })).finally(() => {
    asked = undefined
  })
  return asked
}
