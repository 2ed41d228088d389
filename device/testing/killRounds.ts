import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import type { CommandReply } from '#contract/mqtt/command.ts'
import { chance } from '#device/hardware/pretend/noise.ts'
import { passTime } from '#testing/passTime.ts'
import { type KillStep, ledgerFile } from './killSteps.ts'
import { GUID } from './testAgent.ts'
import { startTestBroker, type TestBroker, until } from './testBroker.ts'

const LONGEST_RANDOM_DELAY_MS = 25
/** This is well beyond expiry, because the device's idea of server time lags by the network delay. */
const LATE_MS = 90_000
const POWER_COMMANDS = [
  { name: 'relay.set', args: { number: 1, port: 1, on: false } },
  { name: 'relay.set', args: { number: 1, port: 1, on: true } },
  { name: 'relay.reset', args: { number: 1, port: 2 } },
  { name: 'routerRelay.set', args: { number: 1, on: true } },
  { name: 'routerRelay.reset', args: { number: 1 } },
  { name: 'ups.groupReset', args: { group: 2 } },
]

/** The result of one power command during which the agent was killed, and which was sent again afterwards. */
export interface KillRound {
  readonly step: KillStep
  /** Counts how often the hardware began it, before and after the restart. */
  readonly begunBefore: number
  readonly begunAfter: number
  /** The replies before the kill, and to the repetition. */
  readonly firstReply: CommandReply | undefined
  readonly repeatedReply: CommandReply
  /** The reply to an equal command after its expiry, and what the hardware began for it. */
  readonly lateReply: CommandReply
  readonly begunLate: number
}

/**
 * Kills a real agent process (SIGKILL) around a power command, once in every round and at each step in turn; its
 * hardware keeps a ledger on disk of what it began. The same seed gives the same commands and delays.
 */
export async function killRounds(options: {
  readonly rounds: Iterable<number>
  readonly seed: number
  readonly steps: readonly KillStep[]
  /** The agent's folder, with its store and the ledger. */
  readonly folder: string
  readonly onRound: (round: KillRound) => void
}): Promise<void> {
  const { folder } = options
  const broker = await startTestBroker()
  const ledger = () => {
    const file = ledgerFile(folder)
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
  }
  let child = await startVictim(broker, folder)
  try {
    for (const index of options.rounds) {
      const step = options.steps[index % options.steps.length] ?? 'any'
      const dice = (word: string) => chance(options.seed, word, index)
      const command = POWER_COMMANDS[Math.floor(dice('command') * POWER_COMMANDS.length)] ?? {}
      const id = randomUUID()
      const send = (commandId: string, issuedAtMs = Date.now()) =>
        broker.send(`v1/devices/${GUID}/commands/${commandId}`, {
          ...command,
          issuedAt: new Date(issuedAtMs),
          expiresAt: new Date(issuedAtMs + 60_000),
        })
      const repliesTo = (commandId: string) => broker.replies.filter((reply) => reply.commandId === commandId)
      const begunEarlier = ledger()
      const issuedAtMs = Date.now()

      await killAround(child, step, dice('delay'), () => send(id, issuedAtMs), {
        broker,
        isAnswered: () => repliesTo(id).length > 0,
      })
      const [firstReply] = repliesTo(id)
      const begunBefore = ledger() - begunEarlier
      child = await startVictim(broker, folder)
      await send(id, issuedAtMs)
      await until(() => repliesTo(id).length > (firstReply ? 1 : 0), `an answer to the repetition after ${step}`)
      const begunAfter = ledger() - begunEarlier - begunBefore
      const lateId = randomUUID()
      await send(lateId, Date.now() - LATE_MS)
      await until(() => repliesTo(lateId).length > 0, 'an answer to the late one')
      options.onRound({
        step,
        begunBefore,
        begunAfter,
        firstReply: firstReply?.reply,
        repeatedReply: repliesTo(id).at(-1)?.reply as CommandReply,
        lateReply: repliesTo(lateId)[0]?.reply as CommandReply,
        begunLate: ledger() - begunEarlier - begunBefore - begunAfter,
      })
    }
  } finally {
    child.kill('SIGKILL')
    await broker.stop()
  }
}

async function startVictim(broker: TestBroker, folder: string): Promise<ChildProcess> {
  const greetings = () => broker.messages.filter(({ msg }) => msg === 'Connected.').length
  const before = greetings()
  const child = fork(new URL('./killableAgent.ts', import.meta.url), [broker.url, folder])
  // The greeting follows the subscription, so the server's time is known by then.
  await until(() => greetings() > before, 'the agent is connected', 30_000)
  return child
}

async function killAround(
  child: ChildProcess,
  step: KillStep,
  dice: number,
  send: () => Promise<void>,
  { broker, isAnswered }: { readonly broker: TestBroker; readonly isAnswered: () => boolean },
): Promise<void> {
  const gone = once(child, 'exit')
  child.send(step)
  await once(child, 'message')
  await send()
  if (step === 'published') await until(isAnswered, 'the answer')
  if (step === 'any') await passTime(dice * LONGEST_RANDOM_DELAY_MS, 'the blow falls anywhere')
  if (step === 'published' || step === 'any') child.kill('SIGKILL')
  const [, signal] = await gone
  if (signal !== 'SIGKILL') throw new Error(`The agent ended by itself at ${step}.`)
  await until(() => broker.connectedCount() === 0, 'the broker has noticed')
}
