import type { CommandReply } from '#contract/mqtt/command.ts'
import type { DeviceStore } from '../store/deviceStore.ts'

const REMEMBERED_AS = 'unanswered'
/** A lost connection cannot leave more than this open; beyond it, the oldest are dropped. */
const MOST_KEPT = 50

/**
 * Replies to commands that were carried out. Each is on disk until the server has acknowledged it, so that a reply
 * which a lost connection or a kill has cut off still corrects "unknown" at the next connect.
 */
export interface Answers {
  /** Sends after `delayMs`, and again whenever the connection comes back. */
  give(commandId: string, reply: CommandReply, delayMs: number): void
  /** The connection is up, so replies that are not acknowledged are sent again. */
  up(): void
}

export function createAnswers(deps: {
  readonly store: DeviceStore
  /** Resolves at the PUBACK. */
  readonly publish: (commandId: string, reply: CommandReply) => Promise<void>
}): Answers {
  const open = new Map(JSON.parse(deps.store.remembered(REMEMBERED_AS) ?? '[]') as [string, CommandReply][])
  const keep = () => deps.store.remember(REMEMBERED_AS, JSON.stringify([...open].slice(-MOST_KEPT)))
  const send = (commandId: string, reply: CommandReply) => {
    deps.publish(commandId, reply).then(
      () => {
        if (open.delete(commandId)) keep()
      },
      () => undefined,
    )
  }
  return {
    give: (commandId, reply, delayMs) => {
      open.set(commandId, reply)
      keep()
      if (delayMs > 0) setTimeout(send, delayMs, commandId, reply).unref()
      else send(commandId, reply)
    },
    up: () => {
      for (const [commandId, reply] of open) send(commandId, reply)
    },
  }
}
