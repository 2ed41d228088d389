import { z } from 'zod'
import type { Call } from '#contract/call/call.ts'
import { momentValue } from '#contract/call/values.ts'
import { listDeviceCommands, testDeviceDriver } from '#contract/http/devices/commands.ts'
import type { Given, LiveReaders } from '#server/features/feature.ts'
import { requireVisible } from '#server/fleet/visibleDevices.store.ts'
import { readCommandEvents } from '#server/gateway/commands/commandEvents.ts'
import { scopeOf } from '#server/http/call/caller.ts'
import { route } from '#server/http/call/route.ts'
import { askedPage, readPage, readPageKey } from '#server/http/reading/pages.ts'
import type { UnfencedJob } from '#server/jobs/JobRunner.ts'
import { carryOut } from './carryOutCommand.ts'
import { commandsPage } from './commands.store.ts'
import { POWER_COMMANDS } from './powerCommands.ts'

const SWEEP_EVERY_MS = 5_000
const PAGE_SIZE = 50

const commandKey = z.strictObject({ acceptedAt: momentValue, id: z.guid() })

export function deviceCommandsFeature(given: Pick<Given, 'pool' | 'db' | 'commands'>) {
  const { pool, db, commands } = given
  /** Ends commands that nobody else will end, because a process died or a device never answered. */
  const sweepJob: UnfencedJob = { name: 'commands', everyMs: SWEEP_EVERY_MS, runUnfenced: () => commands.sweep() }
  const readCommands: LiveReaders['readCommands'] = (scope, deviceIds) => readCommandEvents(pool, scope, deviceIds)
  return {
    routes: [
      ...POWER_COMMANDS.map(({ call, commandOf }) =>
        route(call, ({ query, ...request }) =>
          carryOut(given, { deviceId: query.deviceId, command: commandOf(query) }, request),
        ),
      ),
      route(testDeviceDriver, ({ query: { deviceId, part }, ...request }) =>
        carryOut(given, { deviceId, command: { name: 'driver.test', args: { part } } }, request),
      ),
      route(listDeviceCommands, async ({ query: { deviceId, ...query }, caller }) => {
        const scope = scopeOf(caller)
        await requireVisible(pool, scope, [deviceId])
        return readPage(
          askedPage(query, PAGE_SIZE, (key) => readPageKey(key, commandKey)),
          (page) => commandsPage(db, scope, deviceId, page),
          ({ acceptedAt, id }) => ({ acceptedAt, id }),
        )
      }),
    ],
    commandOf: (call: Call, query: object) =>
      POWER_COMMANDS.find((one) => one.call === call)?.commandOf(query as never),
    jobs: [sweepJob],
    liveReaders: { readCommands },
  }
}
