import type { z } from 'zod'
import { COMMANDS, type Command, type CommandReply, command, NOT_UNDERSTOOD } from '#contract/mqtt/command.ts'
import type { ServerClock } from '../clocks/serverClock.ts'
import type { Execute } from '../settings/execute.ts'
import type { DeviceStore } from '../store/deviceStore.ts'

/** An id is remembered this much longer than its command could be carried out. */
const REMEMBERED_AFTER_EXPIRY_MS = 24 * 3_600_000
/** A command that was issued further ahead than this does not come from a server whose clock we know. */
const ISSUED_AHEAD_MS = 60_000

const refused = (text: string, errors: readonly string[] = [text]): CommandReply => ({
  ok: false,
  text,
  errors: [...errors],
})

const REPEATED = refused('This command came before; it is not carried out twice.')
const CLOCK_UNKNOWN = refused('The device does not know the time of the server yet.')
const RETAINED = refused('This command was kept on its way; it was not carried out.')
const OVERTAKEN = refused('A newer command came before this one; it was not carried out.')
const NOT_KEPT = refused('The device cannot write to its disk; the command was not carried out.')

const NEWEST = 'newestCommands'

export interface CommandOutcome {
  /** Undefined when there is nothing to say, because the first of two equal commands is still being carried out. */
  readonly reply: CommandReply | undefined
  /** Set when the hardware was asked. */
  readonly carriedOut?: Command
}

/**
 * Checks a command and carries it out at most once: its id is on disk before the hardware is asked, so that after a
 * kill it is refused rather than repeated (rules/commands 11). A repeated command gets the reply of the first one.
 */
export function createCommandExecutor(deps: {
  readonly store: DeviceStore
  readonly serverClock: ServerClock
  readonly execute: Execute
  readonly onUnexpected: (error: unknown) => void
}): (commandId: string, payload: Buffer, isRetained?: boolean) => Promise<CommandOutcome> {
  const { store, serverClock, execute } = deps
  const running = new Set<string>()

  /** Marks the command as begun, on disk when it returns. Returns the reply if it must not begin. */
  const begin = (commandId: string, checked: Command, now: Date): CommandReply | undefined => {
    const newest = JSON.parse(store.remembered(NEWEST) ?? '{}') as Record<string, number>
    const target = targetOf(checked)
    const issuedAtMs = Date.parse(checked.issuedAt)
    const isOvertaken = issuedAtMs < (newest[target] ?? 0) && !isAhead(newest[target] ?? 0, now)
    if (isOvertaken) return OVERTAKEN
    const forgetAt = new Date(Date.parse(checked.expiresAt) + REMEMBERED_AFTER_EXPIRY_MS)
    if (!store.isFirst(commandId, forgetAt, now)) return REPEATED
    store.remember(NEWEST, JSON.stringify({ ...newest, [target]: issuedAtMs }))
    return undefined
  }

  return async (commandId, payload, isRetained = false) => {
    if (running.has(commandId)) return { reply: undefined }
    if (isRetained) return { reply: RETAINED }
    const checked = checkCommand(payload)
    if ('errors' in checked) return { reply: refused(NOT_UNDERSTOOD, checked.errors) }
    const now = serverClock.now()
    if (!now) return { reply: CLOCK_UNKNOWN }
    const kept = store.keptReply(commandId)
    if (kept !== undefined) return { reply: JSON.parse(kept) as CommandReply }
    const lateness = judgeTime(checked, now)
    if (lateness) return { reply: lateness }
    try {
      const refusal = begin(commandId, checked, now)
      if (refusal) return { reply: refusal }
    } catch (error) {
      deps.onUnexpected(error)
      return { reply: NOT_KEPT }
    }
    running.add(commandId)
    const reply = await execute(checked)
    try {
      store.keepReply(commandId, JSON.stringify(reply))
    } catch (error) {
      deps.onUnexpected(error)
    }
    running.delete(commandId)
    return { reply, carriedOut: checked }
  }
}

/** Returns what a command acts on: of two commands for the same target, the earlier must not undo the later. */
function targetOf({ name, args }: Command): string {
  return [name.split('.')[0], args.number ?? args.displayNumber ?? args.part, args.port]
    .filter((part) => part !== undefined)
    .join('/')
}

const isAhead = (issuedAtMs: number, now: Date) => issuedAtMs > now.getTime() + ISSUED_AHEAD_MS

function judgeTime({ issuedAt, expiresAt }: Command, now: Date): CommandReply | undefined {
  if (Date.parse(expiresAt) <= now.getTime()) return refused('This command came too late; it was not carried out.')
  if (isAhead(Date.parse(issuedAt), now)) return refused('This command was issued in the future.')
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
