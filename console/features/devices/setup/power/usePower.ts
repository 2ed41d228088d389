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
  readonly question: string
  readonly effect: string
  /** The consequences for the device are derived from this command and shown before it is sent. */
  readonly command: SwitchingCommand
  readonly isDangerous: boolean
  readonly send: () => Promise<string>
  readonly why?: string
  /** It offers an alternative when the device refuses; without one, the device's words are shown as a failure. */
  readonly onRefused?: (words: string) => Promise<boolean>
}

/**
 * It runs a power action: it refuses at once where a refusal is known (rules/commands 6), shows the consequences, asks,
 * sends, and shows the answer as a notice (rules/commands 7). It resolves to whether the device did it.
 *
 * @param command undefined while none is known
 * @param given the power wiring, where no setup is open around it
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

/** A missing answer says nothing of the command, which may have arrived, so the message says where to look. */
function withWhereToLook(failure: unknown): unknown {
  const isAboutAnswer = failure instanceof CallFailed && ['network', 'unexpected'].includes(failure.code)
  return isAboutAnswer ? new CallFailed(failure.code, failure.status, messages.powerOutcomeUnknown) : failure
}
