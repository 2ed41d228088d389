import { useState } from 'react'
import { confirmDialog } from '#console/lib/dialogs.tsx'
import { messages } from '#console/lib/messages.ts'
import { toasts } from '#console/lib/toasts.ts'
import { consequenceOf, type SwitchingCommand } from '#domain/darkness/consequence.ts'
import type { DeviceId } from '#domain/ids.ts'
import { useFeedChain } from './feedChain.ts'
import { rereadStatus } from './useSetup.ts'

export interface PowerAction {
  readonly title: string
  /** What happens, plainly; ends as a question. */
  readonly question: string
  /** What it is to the device; what follows from that is said before it is done. */
  readonly command: SwitchingCommand
  /** Something loses power or network. */
  readonly isDangerous: boolean
  /** Answers with the notice of the device. */
  readonly send: () => Promise<string>
}

/** A power action: its consequences told, asked for, sent, and its answer told as a notice (P2 §7). Resolves to whether the device did it. */
export function usePower(deviceId: DeviceId) {
  const [isBusy, setIsBusy] = useState(false)
  const chain = useFeedChain()

  const perform = async ({ title, question, command, isDangerous, send }: PowerAction): Promise<boolean> => {
    const text = `${consequenceOf(chain, command).sentence}\n\n${question}`
    if (!(await confirmDialog({ title, text, isDangerous }))) return false
    setIsBusy(true)
    try {
      toasts.info((await send()) || messages.carriedOut)
      return true
    } catch (failure) {
      toasts.failure(failure)
      return false
    } finally {
      setIsBusy(false)
      void rereadStatus(deviceId)
    }
  }
  return { isBusy, perform }
}
