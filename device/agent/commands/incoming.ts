import { DRIVERS_REPLY_ID } from '#contract/mqtt/drivers.ts'
import { serverTime } from '#contract/mqtt/report.ts'
import { MOST_BYTES_FROM_SERVER, settingsReplyId } from '#contract/mqtt/settings.ts'
import type { Hardware } from '#device/hardware/hardware.ts'
import type { SettingsApplier } from '../settings/SettingsApplier.ts'
import type { Answers } from './answers.ts'
import type { createCommandExecutor } from './commands.ts'

const COMMAND_ID = /^[A-Za-z0-9-]{1,64}$/

interface HearingDeps {
  readonly root: string
  readonly executor: ReturnType<typeof createCommandExecutor>
  readonly settings: SettingsApplier
  readonly answers: Answers
  readonly reply: (id: string, content: object) => Promise<void>
  /** Called with the server's time, with each connection and whenever it is asked for. */
  readonly learnTime: (serverNow: Date) => void
  readonly hardware: Hardware
  readonly clientVersion: string
  readonly lookAtAll: () => Promise<void>
  readonly say: (msg: string) => void
}

/** Passes each message of the server, by its topic, to the part that handles it. */
export function createHearing(deps: HearingDeps) {
  const { root, executor, settings, answers, reply, learnTime, hardware, clientVersion, lookAtAll, say } = deps

  const obey = async (commandId: string, payload: Buffer, isRetained: boolean) => {
    const outcome = await executor(commandId, payload, isRetained)
    if (!outcome.reply) return
    const { text, errors } = outcome.reply
    if (outcome.carriedOut) {
      // A full report of the result goes out before the reply, because a value that was set is no noise of a sensor.
      await lookAtAll()
      const delayMs = hardware.answerDelayMs?.() ?? 0
      if (Number.isFinite(delayMs)) answers.give(commandId, outcome.reply, delayMs)
      say(`Command ${outcome.carriedOut.name}: ${text}`)
    } else {
      reply(commandId, outcome.reply).catch(() => undefined)
      say(`Command refused: ${errors.join(' ')}`)
    }
  }

  /** Sent with every document, so with every connection: an earlier report may come from another client. */
  const tellOfDrivers = () => {
    if (settings.current().drivers === undefined || !hardware.drivers) return
    reply(DRIVERS_REPLY_ID, { clientVersion, ...hardware.drivers.told() }).catch(() => undefined)
  }

  const take = async (payload: Buffer) => {
    const outcome = await settings.receive(payload)
    if (outcome.said) say(outcome.said)
    tellOfDrivers()
    const { reply: results } = outcome
    if (!results) return
    await lookAtAll()
    const delayMs = hardware.answerDelayMs?.() ?? 0
    // The reply is not kept, because the document comes again with the next connection.
    const send = () => reply(settingsReplyId(results.version), results).catch(() => undefined)
    if (Number.isFinite(delayMs)) setTimeout(send, delayMs).unref()
  }

  return (topic: string, payload: Buffer, isRetained: boolean): void => {
    // A broker may deliver anything, and what was meant for another device must not be handled here.
    if (!topic.startsWith(root)) return
    const [head, id, ...rest] = topic.slice(root.length).split('/')
    if (payload.length > MOST_BYTES_FROM_SERVER) {
      say(`The server sent ${payload.length} bytes in one message; so much is not read.`)
      return
    }
    if (head === 'commands' && id !== undefined && COMMAND_ID.test(id) && rest.length === 0) {
      obey(id, payload, isRetained).catch((error: Error) => say(`Command failed: ${error.message}`))
    } else if (head === 'settings' && id === undefined) {
      take(payload).catch((error: Error) => say(`Settings failed: ${error.message}`))
    } else if (head === 'time' && id === undefined) {
      const parsed = serverTime.safeParse(jsonOf(payload))
      if (parsed.success) learnTime(new Date(parsed.data.now))
    }
  }
}

function jsonOf(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString('utf8'))
  } catch {
    return undefined
  }
}
