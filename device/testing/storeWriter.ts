import { GUID, openTestStore } from './testAgent.ts'

/** Appends until it is killed, and prints every entry that is on disk. */
const device = openTestStore(process.argv[2] ?? '').device(GUID)
for (;;) {
  const entries = await Promise.all(
    Array.from({ length: 5 }, () =>
      device.append('events/device', Date.now(), (at) => ({ at: at.toISOString(), values: { uptime: 1 } })),
    ),
  )
  for (const { payload } of entries) process.stdout.write(`${JSON.parse(payload).at}\n`)
}
