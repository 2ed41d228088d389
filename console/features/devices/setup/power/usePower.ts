import { useState } from 'react'
import { useOpenDevice } from '#console/deviceParts/openDevice.ts'
import { CallFailed } from '#console/lib/call/CallFailed.ts'
import { messages } from '#console/lib/call/messages.ts'
import { serverNowMs } from '#console/lib/call/serverClock.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { alertDialog, confirmAndSend } from '#console/lib/notice/dialogs.ts'
import { consequenceOf, type SwitchingCommand } from '#domain/darkness/consequence.ts'
import type { FeedChain } from '#domain/darkness/feedChain.ts'
import { useFeedChain } from '../read/feedChain.ts'
import { rereadStatus } from '../read/useSetup.ts'
import { knownRefusal } from './knownRefusal.ts'
import { leavesOutcomeOpen, useOpenOutcome } from './openOutcomes.ts'

export interface PowerAction {
  readonly title: string
  /** Whether to do it, naming the part. */
  readonly question: string
  /** What happens to the part, said where nobody knows what hangs on it. */
  readonly effect: string
  /** What it is to the device; what follows from that is said before it is done. */
  readonly command: SwitchingCommand
  /** Something loses power or network. */
  readonly isDangerous: boolean
  /** Answers with the notice of the device. */
  readonly send: () => Promise<string>
  /** Said before everything else. */
  readonly why?: string
  /** What else there is when the device says that it cannot; else its words are told as a failure. */
  readonly onRefused?: (words: string) => Promise<boolean>
}

/**
 * A power action: refused at once where that is known (rules/commands 6), its consequences told, asked for, sent, and its
 * answer told as a notice (rules/commands 7). Resolves to whether the device did it.
 *
 * @param command undefined: none is known yet
 * @param given what feeds what, where no setup is open around it
 */
export function usePower(command: SwitchingCommand | undefined, given?: FeedChain) {
  const device = useOpenDevice()
  const [isBusy, setIsBusy] = useState(false)
  const outcome = useOpenOutcome(device.id, command)
  const inherited = useFeedChain()
  const chain = given ?? inherited

  const refusalBefore = async () => {
    setIsBusy(true)
    const refusal = await knownRefusal(device)
    setIsBusy(false)
    return refusal
  }

  const perform = async (action: PowerAction): Promise<boolean> => {
    const { title, question, effect, command, isDangerous, send, why = '', onRefused } = action
    const refusal = await refusalBefore()
    if (refusal !== undefined) {
      await alertDialog(title, refusal)
      return false
    }
    const { sentence, isKnown } = consequenceOf(chain, command)
    const text = `${why}${isKnown ? sentence : `${sentence} ${effect}`}\n\n${question}`
    let pressedAtMs = 0
    const press = () => {
      setIsBusy(true)
      pressedAtMs = serverNowMs()
      return send()
    }
    try {
      const answer = await confirmAndSend({ title, text, isDangerous }, press)
      if (answer === undefined) return false
      toasts.info(answer || messages.carriedOut)
      return true
    } catch (failure) {
      if (onRefused && failure instanceof CallFailed && failure.code === 'device_refused') {
        return onRefused(failure.message)
      }
      if (leavesOutcomeOpen(failure)) outcome.open(pressedAtMs)
      toasts.failure(withWhereToLook(failure))
      return false
    } finally {
      setIsBusy(false)
      if (pressedAtMs > 0) void rereadStatus(device.id)
    }
  }
  return { isBusy, isOutcomeOpen: outcome.isOpen, perform }
}

/** That no answer came says nothing of the command, which may have arrived. */
function withWhereToLook(failure: unknown): unknown {
  const isAboutAnswer = failure instanceof CallFailed && ['network', 'unexpected'].includes(failure.code)
  return isAboutAnswer ? new CallFailed(failure.code, failure.status, messages.powerOutcomeUnknown) : failure
}
