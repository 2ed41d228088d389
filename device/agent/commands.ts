import type { z } from 'zod'
import { COMMANDS, type Command, type CommandReply, command } from '#contract/mqtt/command.ts'
import type { DeviceStore } from './deviceStore.ts'
import type { Execute } from './execute.ts'
import type { ServerClock } from './serverClock.ts'

/** An id is remembered this much longer than its command could be obeyed. */
const REMEMBERED_AFTER_EXPIRY_MS = 24 * 3_600_000
/** A command issued further ahead than this was not issued by a server whose clock we know. */
const ISSUED_AHEAD_MS = 60_000

const refused = (text: string, errors: readonly string[] = [text]): CommandReply => ({
  ok: false,
  text,
  errors: [...errors],
})

const REPEATED = refused('This command came before; it is not carried out twice.')
const CLOCK_UNKNOWN = refused('The device does not know the time of the server yet.')

export interface CommandOutcome {
  /** `undefined`: nothing to say, because the first of two equal commands is still being carried out. */
  readonly reply: CommandReply | undefined
  /** Set when the hardware was asked. */
  readonly carriedOut?: Command
}

/**
 * Judges a command and carries it out at most once: its id is on disk before the hardware is asked, so after a kill it
 * is refused rather than done again (design: Devices). A repeated command is answered with what the first one got.
 */
export function createCommandDesk(needs: {
  readonly store: DeviceStore
  readonly serverClock: ServerClock
  readonly execute: Execute
}): (commandId: string, payload: Buffer) => Promise<CommandOutcome> {
  const { store, serverClock, execute } = needs
  const running = new Set<string>()

  return async (commandId, payload) => {
    if (running.has(commandId)) return { reply: undefined }
    const checked = checkCommand(payload)
    if ('errors' in checked) return { reply: refused('The device does not understand this command.', checked.errors) }
    const now = serverClock.now()
    if (!now) return { reply: CLOCK_UNKNOWN }
    const kept = store.keptReply(commandId)
    if (kept !== undefined) return { reply: JSON.parse(kept) as CommandReply }
    const lateness = judgeTime(checked, now)
    if (lateness) return { reply: lateness }
    const forgetAt = new Date(Date.parse(checked.expiresAt) + REMEMBERED_AFTER_EXPIRY_MS)
    if (!store.isFirst(commandId, forgetAt, now)) return { reply: REPEATED }

    running.add(commandId)
    const reply = await execute(checked)
    store.keepReply(commandId, JSON.stringify(reply))
    running.delete(commandId)
    return { reply, carriedOut: checked }
  }
}

function judgeTime({ issuedAt, expiresAt }: Command, now: Date): CommandReply | undefined {
  if (Date.parse(expiresAt) <= now.getTime()) return refused('This command came too late; it was not carried out.')
  if (Date.parse(issuedAt) > now.getTime() + ISSUED_AHEAD_MS) return refused('This command was issued in the future.')
  return undefined
}

function checkCommand(payload: Buffer): Command | { readonly errors: readonly string[] } {
  let content: unknown
  try {
    content = JSON.parse(payload.toString('utf8'))
  } catch {
    return { errors: ['The command is not JSON.'] }
  }
  const envelope = command.safeParse(content)
  if (!envelope.success) return { errors: issues(envelope.error) }
  const args = COMMANDS[envelope.data.name].safeParse(envelope.data.args)
  return args.success ? { ...envelope.data, args: args.data } : { errors: issues(args.error) }
}

function issues(error: z.ZodError): readonly string[] {
  return error.issues.slice(0, 10).map(({ path, message }) => `${path.join('.') || 'command'}: ${message}`)
}
