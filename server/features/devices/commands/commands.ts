import type { Call } from '#contract/call/call.ts'
import type { Given, LiveReaders } from '#server/features/feature.ts'
import { createVisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { readCommandEvents } from '#server/gateway/commands/commandEvents.ts'
import type { UnfencedJob } from '#server/jobs/JobRunner.ts'
import { deviceCommandRoutes } from './commands.routes.ts'
import { createDeviceCommands } from './commands.service.ts'
import { createDeviceCommandStore } from './commands.store.ts'
import { POWER_COMMANDS } from './powerCommands.ts'

const SWEEP_EVERY_MS = 5_000

export function deviceCommandsFeature({ pool, db, commands }: Pick<Given, 'pool' | 'db' | 'commands'>) {
  /** Ends commands that nobody else will end, because a process died or a device never answered. */
  const sweepJob: UnfencedJob = { name: 'commands', everyMs: SWEEP_EVERY_MS, runUnfenced: () => commands.sweep() }
  const readCommands: LiveReaders['readCommands'] = (scope, deviceIds) => readCommandEvents(pool, scope, deviceIds)
  return {
    routes: deviceCommandRoutes(
      createDeviceCommands({
        store: createDeviceCommandStore(db),
        visibleDevices: createVisibleDevices(pool),
        answerSeconds: commands.answerSeconds,
        outcome: (deviceId, commandId) => commands.outcome(deviceId, commandId),
      }),
    ),
    commandOf: (call: Call, query: object) =>
      POWER_COMMANDS.find((one) => one.call === call)?.commandOf(query as never),
    jobs: [sweepJob],
    liveReaders: { readCommands },
  }
}
